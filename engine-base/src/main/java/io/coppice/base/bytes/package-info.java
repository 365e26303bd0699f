/**
 * Bytes: raw memory, variable-length integers, little-endian views. Start with {@link
 * io.coppice.base.bytes.Memory}. Any thread may use it.
 */
package io.coppice.base.bytes;
