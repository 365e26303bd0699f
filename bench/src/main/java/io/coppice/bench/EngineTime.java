package io.coppice.bench;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What an engine in another process says that its own call took, without the way there:
 * microseconds in all and calls, printed by JMH beside the time measured here.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class EngineTime {
  public double engineMicros;
  public double calls;

  /** Starts an iteration from zero. */
  @Setup(Level.Iteration)
  public void reset() {
    engineMicros = 0;
    calls = 0;
  }

  void add(double millis) {
    engineMicros += millis * 1000;
    calls++;
  }
}
