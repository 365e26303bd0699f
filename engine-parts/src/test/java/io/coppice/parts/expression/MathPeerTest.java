package io.coppice.parts.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.PlainType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Functions of floating point numbers on many values: how many last digits they are off 26.7's. */
@Tag("peer")
class MathPeerTest {
  /** Expressions of x and how they may differ. */
  private static final Map<String, Bound> EXPRESSIONS = new LinkedHashMap<>();

  /**
   * How results may differ.
   *
   * @param digits units in the last place
   * @param share which part of the values at most
   */
  private record Bound(long digits, double share) {}

  static {
    for (String exact :
        new String[] {
          "sqrt(x)",
          "sin(x)",
          "cos(x)",
          "tan(x)",
          "atan(x)",
          "asin(x)",
          "acos(x)",
          "atan2(x, 1.5)",
          "cbrt(x)",
          "hypot(x, 3.25)",
          "pow(x, 2.5)",
          "pow(x, 3)",
          "pow(x, -1)",
          "pow(2, x)",
          "degrees(x)",
          "radians(x)",
          "pi()",
          "e()"
        }) {
      EXPRESSIONS.put(exact, new Bound(0, 0));
    }
    // The real value rounded, which 26.7 misses by one digit where it lies very near to the middle
    // of
    // two doubles: it computes some 68 bits.
    for (String nearly :
        new String[] {
          "exp(x)", "exp2(x)", "exp10(x)", "log(x)", "log2(x)", "log10(x)", "log1p(x)"
        }) {
      EXPRESSIONS.put(nearly, new Bound(1, 0.0003));
    }
    // 26.7 takes them from the C library of the machine it runs on; here they are rounded once.
    EXPRESSIONS.put("sinh(x)", new Bound(2, 0.2));
    EXPRESSIONS.put("cosh(x)", new Bound(1, 0.1));
  }

  private static final String NUMBERS =
      "SELECT arrayJoin(arrayConcat(arrayMap(i -> (toInt64(cityHash64(i)) % 1000000) / 10007,"
          + " range(15000)),arrayMap(i -> reinterpretAsFloat64(sipHash64(i)),"
          + " range(8000)),arrayMap(i -> (sipHash64(i) % 1000003) / 1000003 * 2 - 1,"
          + " range(10000)),arrayMap(i -> i - 200., range(600)),[0., -0., inf, -inf, nan, 1e-310,"
          + " 4.9e-324, 1e308, 709.78, 710, -745.2, 1e22, 1.5, 0.5, 1.0, -1.0,"
          + " 2.2250738585072014e-308, 1e-320, -1e-310, -1e308, 1.7976931348623157e308, -745.13,"
          + " -745.14, -1074.5, -1075.0, -1074.0, 1023.9999999999999, 1024.0, -323.5, 308.25,"
          + " 308.5, 1e15, 9007199254740994.0, 65536.0, 65535.9999, 102943.70807105295,"
          + " 0.9999999999999999])) AS x";

  @Test
  void functionsAreTheSameButForLastDigits() {
    ByteBuffer theirs;
    try (ChdbPeer peer = ChdbPeer.start()) {
      ChdbPeer.Answer answer =
          peer.ask(
              "SELECT x, " + String.join(", ", EXPRESSIONS.keySet()) + " FROM (" + NUMBERS + ")",
              "RowBinary");
      assertThat(answer.error()).isEmpty();
      theirs = ByteBuffer.wrap(answer.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }
    int width = EXPRESSIONS.size() + 1;
    int rows = theirs.remaining() / 8 / width;
    assertThat(rows).isGreaterThan(30_000);
    double[] x = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[i] = theirs.getDouble(i * width * 8);
    }
    TypedExpression.Batch batch =
        new TypedExpression.Batch(Map.of("x", new Values.Doubles(x, false, null)), rows);
    int column = 0;
    for (Map.Entry<String, Bound> entry : EXPRESSIONS.entrySet()) {
      column++;
      Values.Doubles ours =
          (Values.Doubles)
              ExpressionCompiler.of(Map.of("x", PlainType.FLOAT64))
                  .compile(Parser.expression(entry.getKey()))
                  .values(batch)
                  .full(rows);
      int others = 0;
      for (int i = 0; i < rows; i++) {
        long a = Double.doubleToLongBits(ours.values[i]);
        long b = Double.doubleToLongBits(theirs.getDouble((i * width + column) * 8));
        assertThat(Math.abs(a - b))
            .as("%s of x = %s: %s", entry.getKey(), x[i], ours.values[i])
            .isLessThanOrEqualTo(entry.getValue().digits());
        others += a == b ? 0 : 1;
      }
      assertThat(others)
          .as(entry.getKey())
          .isLessThanOrEqualTo((int) (entry.getValue().share() * rows));
      System.out.printf("%s: %d of %d values differ%n", entry.getKey(), others, rows);
    }
  }
}
