/**
 * ClickHouse's Native format, in and out of Arrow batches: {@link
 * io.coppice.parts.nativeformat.NativeReader}, {@link io.coppice.parts.nativeformat.NativeWriter}.
 * Each belongs to one thread.
 */
package io.coppice.parts.nativeformat;
