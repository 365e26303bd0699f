/**
 * ClickHouse's data types as immutable values. Start with {@link
 * io.coppice.language.type.DataType}. Any thread may use them.
 */
package io.coppice.language.type;
