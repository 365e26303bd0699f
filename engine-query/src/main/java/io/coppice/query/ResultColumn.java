package io.coppice.query;

import io.coppice.language.type.DataType;

/** A column of a result: its name, which another may have too, and its ClickHouse type. */
public record ResultColumn(String name, DataType type) {}
