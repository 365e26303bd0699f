package io.coppice.parts.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;

/** The JSON inside files of a part: read strictly, written with ClickHouse's escapes. */
final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(200).maxStringLength(1 << 20).build())
          .build();

  private Json() {}

  /** What to do with each member of an object. The parser stands at the value. */
  interface Member {
    void read(String name, JsonParser in) throws IOException;
  }

  /** What to do with each element of an array. The parser stands at the value. */
  interface Element {
    void read(JsonParser in) throws IOException;
  }

  /** Reads one object that fills the bytes from {@code from} to the end. */
  static void read(byte[] bytes, int from, String file, Member member) {
    try (JsonParser in = FACTORY.createParser(bytes, from, bytes.length - from)) {
      in.nextToken();
      object(in, member);
      if (in.nextToken() != null) {
        throw broken(in, "nothing behind the object");
      }
    } catch (EngineException e) {
      throw e.within(file);
    } catch (JsonProcessingException e) {
      throw new EngineException(
          ErrorCode.CORRUPTED_DATA,
          String.format(
              "%s: not the JSON it should be, at byte %d: %s",
              file, from + Math.max(0, e.getLocation().getByteOffset()), e.getOriginalMessage()),
          e);
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CORRUPTED_DATA, file + ": not the JSON it should be: " + e.getMessage(), e);
    }
  }

  static void object(JsonParser in, Member member) throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw broken(in, "an object");
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      member.read(name, in);
    }
  }

  static void array(JsonParser in, Element element) throws IOException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw broken(in, "an array");
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      element.read(in);
    }
  }

  static String string(JsonParser in) throws IOException {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      throw broken(in, "a string");
    }
    return in.getText();
  }

  static boolean bool(JsonParser in) throws IOException {
    if (in.currentToken() != JsonToken.VALUE_TRUE && in.currentToken() != JsonToken.VALUE_FALSE) {
      throw broken(in, "true or false");
    }
    return in.getBooleanValue();
  }

  /** A whole number of {@code from} to {@code to}. */
  static long number(JsonParser in, long from, long to) throws IOException {
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw broken(in, "a whole number");
    }
    long value = in.getLongValue();
    if (value < from || value > to) {
      throw broken(in, "a number of " + from + " to " + to);
    }
    return value;
  }

  static EngineException unknown(JsonParser in, String name) {
    return broken(in, "no member '" + name + "', which this version does not know");
  }

  static EngineException broken(JsonParser in, String expected) {
    return EngineException.of(
        ErrorCode.CORRUPTED_DATA,
        "expected %s at character %d",
        expected,
        in.currentTokenLocation().getCharOffset() < 0
            ? in.currentTokenLocation().getByteOffset()
            : in.currentTokenLocation().getCharOffset());
  }

  /** Appends {@code text} in double quotes. */
  static StringBuilder quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '/' -> out.append("\\/");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append(String.format("\\u%04X", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"');
  }
}
