package io.coppice.parts.floating;

/**
 * Cube roots and lengths: Java's results, mended by one step of Newton's method with two doubles.
 */
public final class Roots {
  private Roots() {}

  public static double cbrt(double x) {
    if (x == 0 || !(Math.abs(x) <= Double.MAX_VALUE)) {
      return x;
    }
    int third = Math.floorDiv(Math.getExponent(x), 3);
    double scaled = Math.scalb(x, -3 * third);
    double root = Math.cbrt(scaled);
    Twofold cube = Twofold.product(root, root).times(root);
    double error = (cube.high() - scaled) + cube.low();
    return Math.scalb(root - error / (3 * root * root), third);
  }

  public static double hypot(double x, double y) {
    double a = Math.abs(x);
    double b = Math.abs(y);
    if (Double.isInfinite(a) || Double.isInfinite(b)) {
      return Double.POSITIVE_INFINITY;
    }
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Double.NaN;
    }
    double large = Math.max(a, b);
    double small = Math.min(a, b);
    if (small == 0 || Math.getExponent(large) - Math.getExponent(small) > 60) {
      return large + small;
    }
    int exponent = Math.max(Math.getExponent(large), Double.MIN_EXPONENT);
    double l = Math.scalb(large, -exponent);
    double s = Math.scalb(small, -exponent);
    Twofold squares = Twofold.product(l, l).plus(Twofold.product(s, s));
    double root = Math.sqrt(squares.high());
    double error = Math.fma(-root, root, squares.high()) + squares.low();
    return Twofold.ordered(root, error / (2 * root)).rounded(exponent);
  }
}
