/**
 * Functions of floating point numbers, to the last digit as ClickHouse 26.7 computes them.
 *
 * <p>26.7 takes most of them from LLVM's C library, whose results are the real ones rounded once
 * but for some functions, which have a published form that is followed here step by step. Sums of
 * two doubles ({@link io.coppice.parts.floating.Twofold}) carry what one cannot; tables are
 * computed from series when a class is first used. Everything is stateless: any thread may call it.
 * Start with {@link io.coppice.parts.floating.Circle}.
 */
package io.coppice.parts.floating;
