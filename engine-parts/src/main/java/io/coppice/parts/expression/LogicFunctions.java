package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.Resolved;

/** and, or, xor, not of three values: NULL stands for what is not known. */
final class LogicFunctions {
  private static final byte FALSE = 0;
  private static final byte TRUE = 1;
  private static final byte UNKNOWN = 2;

  private LogicFunctions() {}

  static void register(FunctionRegistry registry) {
    registry.addWithNulls("and", call -> several(call, FALSE, TRUE));
    registry.addWithNulls("or", call -> several(call, TRUE, FALSE));
    registry.addWithNulls("xor", LogicFunctions::xor);
    registry.add("not", LogicFunctions::not);
  }

  /**
   * @param decisive the value that decides however the others are
   */
  private static Resolved several(Call call, byte decisive, byte neutral) {
    DataType type = resultType(call);
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          byte[] state = new byte[count];
          java.util.Arrays.fill(state, neutral);
          for (int k = 0; k < args.length; k++) {
            byte[] next = truth(args[k], count);
            for (int i = 0; i < count; i++) {
              if (state[i] != decisive) {
                state[i] =
                    next[i] == decisive
                        ? decisive
                        : state[i] == UNKNOWN || next[i] == UNKNOWN ? UNKNOWN : neutral;
              }
            }
          }
          return values(state, type, Families.allConstant(args));
        };
    return new Resolved(type, kernel);
  }

  private static Resolved xor(Call call) {
    DataType type = resultType(call);
    Kernel kernel =
        (args, rows) -> {
          int count = Families.rows(args, rows);
          byte[] state = new byte[count];
          for (Values arg : args) {
            byte[] next = truth(arg, count);
            for (int i = 0; i < count; i++) {
              state[i] =
                  state[i] == UNKNOWN || next[i] == UNKNOWN ? UNKNOWN : (byte) (state[i] ^ next[i]);
            }
          }
          return values(state, type, Families.allConstant(args));
        };
    return new Resolved(type, kernel);
  }

  private static Resolved not(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    if ((!Types.integer(type) && !Types.floating(type)) || Types.big(type)) {
      throw Families.illegal(call, 0);
    }
    DataType result = type == PlainType.BOOL ? PlainType.BOOL : PlainType.UINT8;
    return new Resolved(
        result,
        (args, rows) -> {
          byte[] state = truth(args[0], args[0].size());
          long[] out = new long[state.length];
          for (int i = 0; i < out.length; i++) {
            out[i] = state[i] == FALSE ? 1 : 0;
          }
          return new Values.Longs(out, args[0].constant(), null);
        });
  }

  private static DataType resultType(Call call) {
    if (call.count() < 2) {
      throw EngineException.of(
          ErrorCode.TOO_FEW_ARGUMENTS_FOR_FUNCTION,
          "function %s takes at least two arguments",
          call.name());
    }
    boolean nullable = false;
    boolean bool = false;
    boolean nothing = true;
    for (int i = 0; i < call.count(); i++) {
      DataType type = call.type(i);
      DataType inner = Types.notNull(type);
      nullable |= type instanceof NullableType;
      boolean known = inner != PlainType.NOTHING;
      nothing &= !known;
      bool |= inner == PlainType.BOOL;
      if (known && ((!Types.integer(inner) && !Types.floating(inner)) || Types.big(inner))) {
        throw Families.illegal(call, i);
      }
    }
    DataType result = bool && !nothing ? PlainType.BOOL : PlainType.UINT8;
    if (nothing) {
      return new NullableType(PlainType.NOTHING);
    }
    return nullable ? new NullableType(result) : result;
  }

  static byte[] truth(Values values, int rows) {
    byte[] state = new byte[rows];
    if (values instanceof Values.Nothings) {
      java.util.Arrays.fill(state, UNKNOWN);
    } else if (values instanceof Values.Longs longs) {
      int mask = longs.mask();
      for (int i = 0; i < rows; i++) {
        state[i] = longs.values[i & mask] != 0 ? TRUE : FALSE;
      }
    } else {
      Values.Doubles doubles = (Values.Doubles) values;
      for (int i = 0; i < rows; i++) {
        state[i] = doubles.values[doubles.at(i)] != 0 ? TRUE : FALSE;
      }
    }
    if (values.nulls() != null) {
      for (int i = 0; i < rows; i++) {
        if (values.isNull(i)) {
          state[i] = UNKNOWN;
        }
      }
    }
    return state;
  }

  private static Values values(byte[] state, DataType type, boolean constant) {
    if (Types.isNothing(type)) {
      return Values.Nothings.of(state.length, constant);
    }
    long[] out = new long[state.length];
    boolean[] nulls = type instanceof NullableType ? new boolean[state.length] : null;
    for (int i = 0; i < out.length; i++) {
      out[i] = state[i] == TRUE ? 1 : 0;
      if (nulls != null) {
        nulls[i] = state[i] == UNKNOWN;
      }
    }
    return new Values.Longs(out, constant, nulls);
  }
}
