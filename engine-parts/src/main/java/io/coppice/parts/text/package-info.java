/**
 * Values as text, as ClickHouse prints them. Start with {@link io.coppice.parts.text.ValueText}.
 * Any thread may use what is immutable; a {@link io.coppice.parts.text.TextBuffer} belongs to one.
 */
package io.coppice.parts.text;
