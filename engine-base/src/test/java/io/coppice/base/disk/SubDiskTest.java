package io.coppice.base.disk;

import io.coppice.base.disk.sim.SimDisk;
import java.io.IOException;
import java.io.UncheckedIOException;

class SubDiskTest extends DiskContract {
  private final Disk disk = new SubDisk(outer(), "a/b");

  private static Disk outer() {
    try {
      Disk outer = new SimDisk(3);
      outer.createDirectories("a/b");
      return outer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Disk disk() {
    return disk;
  }
}
