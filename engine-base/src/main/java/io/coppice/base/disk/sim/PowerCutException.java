package io.coppice.base.disk.sim;

import java.io.IOException;

/** The simulated machine has no power: nothing works until it is started again. */
public final class PowerCutException extends IOException {
  private static final long serialVersionUID = 1L;

  PowerCutException(String operation) {
    super("power cut during " + operation);
  }
}
