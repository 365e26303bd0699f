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
  /** Expressions of x and by how many units in the last place they may differ. */
  private static final Map<String, Long> EXPRESSIONS = new LinkedHashMap<>();

  static {
    for (String exact :
        new String[] {"sqrt(x)", "log(x)", "log10(x)", "degrees(x)", "radians(x)", "pi()", "e()"}) {
      EXPRESSIONS.put(exact, 0L);
    }
    for (String one :
        new String[] {
          "sin(x)",
          "cos(x)",
          "atan(x)",
          "exp(x)",
          "exp2(x)",
          "log2(x)",
          "log1p(x)",
          "cbrt(x)",
          "cosh(x)",
          "atan2(x, 1.5)",
          "hypot(x, 3.25)",
          "pow(x, 2.5)",
          "pow(x, 3)"
        }) {
      EXPRESSIONS.put(one, 1L);
    }
    EXPRESSIONS.put("tan(x)", 2L);
    EXPRESSIONS.put("sinh(x)", 2L);
    EXPRESSIONS.put("asin(x)", 5L);
    EXPRESSIONS.put("acos(x)", 5L);
    EXPRESSIONS.put("exp10(x)", 4L);
  }

  private static final String NUMBERS =
      "SELECT arrayJoin(arrayConcat("
          + "arrayMap(i -> (toInt64(cityHash64(i)) % 1000000) / 10007, range(15000)),"
          + "arrayMap(i -> reinterpretAsFloat64(sipHash64(i)), range(8000)),"
          + "arrayMap(i -> (sipHash64(i) % 1000003) / 1000003 * 2 - 1, range(10000)),"
          + "arrayMap(i -> i - 200., range(600)),"
          + "[0., -0., inf, -inf, nan, 1e-310, 4.9e-324, 1e308, 709.78, 710, -745.2, 1e22, 1.5]"
          + ")) AS x";

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
    for (Map.Entry<String, Long> entry : EXPRESSIONS.entrySet()) {
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
            .isLessThanOrEqualTo(entry.getValue());
        others += a == b ? 0 : 1;
      }
      System.out.printf("%s: %d of %d values differ%n", entry.getKey(), others, rows);
    }
  }
}
