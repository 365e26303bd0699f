/**
 * Skip indexes: what they hold per block of granules, how they are built from the values of their
 * expressions, and whether a block may hold rows that a condition asks for. Start with {@link
 * io.coppice.parts.skip.SkipIndex}.
 *
 * <p>Kinds known here are minmax, set, bloom_filter, tokenbf_v1 and ngrambf_v1; others are {@link
 * io.coppice.parts.skip.SkipIndex.Kind#OTHER}: their files are carried, not read.
 *
 * <p>Everything is confined to one thread unless it says otherwise; vectors are borrowed.
 */
package io.coppice.parts.skip;
