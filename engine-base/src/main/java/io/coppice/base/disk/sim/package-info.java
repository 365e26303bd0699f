/**
 * Disks for tests: {@link io.coppice.base.disk.sim.SimDisk} forgets at a crash what was not synced,
 * {@link io.coppice.base.disk.sim.FaultyDisk} fails the operation it is told to, {@link
 * io.coppice.base.disk.sim.TrackingDisk} remembers who opened what. All pass the contract of {@link
 * io.coppice.base.disk.Disk} and may be called from any thread.
 */
package io.coppice.base.disk.sim;
