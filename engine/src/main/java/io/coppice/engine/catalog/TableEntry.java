package io.coppice.engine.catalog;

import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.TableName;
import java.util.UUID;

/**
 * A table as the directory knows it.
 *
 * @param create its definition, under its own name and with its UUID
 * @param detached whether it stays detached until somebody attaches it
 */
public record TableEntry(TableName name, UUID uuid, CreateTable create, boolean detached) {}
