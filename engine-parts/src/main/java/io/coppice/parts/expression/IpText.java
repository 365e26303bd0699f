package io.coppice.parts.expression;

import java.util.ArrayList;
import java.util.List;

/** Addresses of the Internet as text. */
final class IpText {
  private IpText() {}

  /** The address as a number, or -1. */
  static long readIpv4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return -1;
    }
    long value = 0;
    for (String part : parts) {
      if (part.isEmpty()
          || part.length() > 3
          || !part.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return -1;
      }
      int octet = Integer.parseInt(part);
      if (octet > 255) {
        return -1;
      }
      value = value << 8 | octet;
    }
    return value;
  }

  /** The 16 bytes, or null; an IPv4 address is mapped. */
  static byte[] readIpv6(String text) {
    if (!text.contains(":")) {
      long v4 = readIpv4(text);
      return v4 < 0 ? null : mapped(v4);
    }
    String head = text;
    List<Integer> tail = new ArrayList<>();
    int lastColon = text.lastIndexOf(':');
    if (text.indexOf('.') > lastColon) {
      long v4 = readIpv4(text.substring(lastColon + 1));
      if (v4 < 0) {
        return null;
      }
      tail.add((int) (v4 >> 16));
      tail.add((int) (v4 & 0xffff));
      head = text.substring(0, lastColon + 1);
      if (!head.endsWith("::")) {
        head = head.substring(0, head.length() - 1);
      }
    }
    int gap = head.indexOf("::");
    List<Integer> before = groups(gap < 0 ? head : head.substring(0, gap));
    List<Integer> after = groups(gap < 0 ? "" : head.substring(gap + 2));
    if (before == null || after == null) {
      return null;
    }
    after.addAll(tail);
    int count = before.size() + after.size();
    if (gap < 0 ? count != 8 : count > 7) {
      return null;
    }
    byte[] out = new byte[16];
    for (int i = 0; i < before.size(); i++) {
      put(out, i, before.get(i));
    }
    for (int i = 0; i < after.size(); i++) {
      put(out, 8 - after.size() + i, after.get(i));
    }
    return out;
  }

  static byte[] mapped(long v4) {
    byte[] out = new byte[16];
    out[10] = -1;
    out[11] = -1;
    put(out, 6, (int) (v4 >> 16));
    put(out, 7, (int) (v4 & 0xffff));
    return out;
  }

  private static void put(byte[] out, int group, int value) {
    out[group * 2] = (byte) (value >> 8);
    out[group * 2 + 1] = (byte) value;
  }

  private static List<Integer> groups(String text) {
    List<Integer> groups = new ArrayList<>();
    if (text.isEmpty()) {
      return groups;
    }
    for (String part : text.split(":", -1)) {
      if (part.isEmpty()
          || part.length() > 4
          || !part.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
        return null;
      }
      groups.add(Integer.parseInt(part, 16));
    }
    return groups;
  }

  /** The text: the longest run of two or more zero groups left out, mapped IPv4 with dots. */
  static String ipv6(byte[] address) {
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff);
    }
    int best = -1;
    int bestLength = 1;
    for (int i = 0; i < 8; i++) {
      int j = i;
      while (j < 8 && groups[j] == 0) {
        j++;
      }
      if (j - i > bestLength) {
        best = i;
        bestLength = j - i;
      }
      i = Math.max(i, j - 1);
    }
    boolean dots = best == 0 && (bestLength == 6 || (bestLength == 5 && groups[5] == 0xffff));
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (best >= 0 && i >= best && i < best + bestLength) {
        if (i == best) {
          out.append(':');
        }
        continue;
      }
      if (i != 0) {
        out.append(':');
      }
      if (i == 6 && dots) {
        out.append(groups[6] >> 8).append('.').append(groups[6] & 255);
        out.append('.').append(groups[7] >> 8).append('.').append(groups[7] & 255);
        return out.toString();
      }
      out.append(Integer.toHexString(groups[i]));
    }
    if (best >= 0 && best + bestLength == 8) {
      out.append(':');
    }
    return out.toString();
  }
}
