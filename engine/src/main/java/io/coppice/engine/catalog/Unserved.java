package io.coppice.engine.catalog;

/**
 * Something in a data directory that is left as it is.
 *
 * @param name of the database or table
 * @param reason why it is not served
 */
public record Unserved(String name, String reason) {}
