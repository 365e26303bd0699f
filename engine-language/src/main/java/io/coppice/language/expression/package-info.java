/**
 * Expressions as immutable trees, and their canonical text. Start with {@link
 * io.coppice.language.expression.Expression}. Any thread may use them.
 */
package io.coppice.language.expression;
