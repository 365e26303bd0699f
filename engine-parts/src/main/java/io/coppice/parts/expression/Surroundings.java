package io.coppice.parts.expression;

import io.coppice.base.time.TimeSource;
import io.coppice.language.expression.Expression;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.random.RandomGenerator;

/**
 * What expressions may ask of the world around them: the time, for {@code now()} and its like,
 * chance, for {@code rand()} and {@code generateUUIDv4()}, and the zone of times that name none.
 * With a clock that stands still and a seeded generator they give the same values each time.
 *
 * <p>Expressions that are evaluated by several threads, as those of a scan on an executor, need a
 * generator that may be shared; {@link #system()} is one.
 *
 * @param time asked once when an expression is compiled: all rows see the same moment
 * @param random asked for every row
 * @param zone of DateTime and DateTime64 without a zone of their own
 */
public record Surroundings(TimeSource time, RandomGenerator random, ZoneId zone) {
  private static final Surroundings SYSTEM =
      new Surroundings(TimeSource.system(), new SecureRandom(), ZoneOffset.UTC);

  /** The machine's clock, unpredictable numbers, UTC. */
  public static Surroundings system() {
    return SYSTEM;
  }

  /** These in another zone. */
  public Surroundings in(ZoneId other) {
    return new Surroundings(time, random, other);
  }

  /**
   * {@code expression} with {@code now()}, {@code randConstant()} and their like replaced by what
   * they give at this moment: whoever looks at it then sees the same time and number.
   */
  public Expression fixed(Expression expression) {
    return SurroundingFunctions.fixed(expression, this);
  }

  /** These, with the time standing still from now on: one moment for all of an INSERT or a scan. */
  public Surroundings atThisMoment() {
    long wallMillis = time.wallMillis();
    long monotonicNanos = time.monotonicNanos();
    TimeSource still =
        new TimeSource() {
          @Override
          public long wallMillis() {
            return wallMillis;
          }

          @Override
          public long monotonicNanos() {
            return monotonicNanos;
          }

          @Override
          public void pause(Duration length) {
            time.pause(length);
          }

          @Override
          public void await(Lock lock, Condition signal, long untilNanos)
              throws InterruptedException {
            time.await(lock, signal, untilNanos);
          }
        };
    return new Surroundings(still, random, zone);
  }
}
