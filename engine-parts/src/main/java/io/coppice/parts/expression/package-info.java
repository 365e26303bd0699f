/**
 * Expressions evaluated column by column: keys, defaults, filters, TTL. Start with {@link
 * io.coppice.parts.expression.ExpressionCompiler}.
 *
 * <p>An {@link io.coppice.language.expression.Expression} and a schema compile to a {@link
 * io.coppice.parts.expression.TypedExpression}, which any thread may evaluate over Arrow batches.
 * Functions live in one {@link io.coppice.parts.expression.FunctionRegistry}, a class per family;
 * they work on {@link io.coppice.parts.expression.Values}, plain arrays by physical kind.
 */
package io.coppice.parts.expression;
