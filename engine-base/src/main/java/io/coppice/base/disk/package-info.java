/**
 * The seam to files. {@link io.coppice.base.disk.Disk} is the contract; {@code LocalDisk} the real
 * side, {@code io.coppice.base.disk.sim} the simulated ones. All of it may be called from any
 * thread.
 */
package io.coppice.base.disk;
