package io.coppice.engine.catalog;

import java.util.Optional;
import java.util.UUID;

/** A database of engine Atomic as the directory knows it. */
public record DatabaseEntry(String name, UUID uuid, Optional<String> comment) {}
