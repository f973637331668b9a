// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.log.PrintableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonToken;

/**
 * Reads JSON whose writer may be anybody, piece by piece: nothing is kept but the texts that are wanted, and nothing is deeper than any page of HBase
 * or HDFS. Stateless.
 */
final class BoundedJsonReader {

    private static final int MAX_DEPTH = 64;
    private static final int MAX_LENGTH = 1 << 14;

    private BoundedJsonReader() {}

    /** Goes on to the value of this name in the object that begins here; false where it has none. */
    static boolean enter(JsonReader json, String name) throws IOException {
        json.beginObject();
        while (json.hasNext()) {
            if (json.nextName().equals(name)) {
                return true;
            }
            skip(json);
        }
        return false;
    }

    /** The values of these names in the object here, where they are texts, numbers or booleans; {@code null} is left out. */
    static Map<String, String> texts(JsonReader json, Predicate<String> wanted) throws IOException {
        Map<String, String> texts = new HashMap<>();
        json.beginObject();
        while (json.hasNext()) {
            String name = json.nextName();
            if (!wanted.test(name) || json.peek() == JsonToken.NULL) {
                skip(json);
            } else {
                texts.put(name, json.peek() == JsonToken.BOOLEAN ? "" + json.nextBoolean() : json.nextString());
            }
        }
        json.endObject();
        return texts;
    }

    /**
     * A count: a whole number, or one with a point, rounded down. It is made without big numbers, of which a few bytes can be gigabytes.
     *
     * @throws NumberFormatException if it is none, or is not to be counted to
     */
    static long count(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            double number = Double.parseDouble(text);
            if (!(Math.abs(number) < Long.MAX_VALUE)) {
                throw new NumberFormatException(printable(text));
            }
            return (long) number;
        }
    }

    /** One line that a terminal and a log can take. */
    static String printable(String text) {
        String cut = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) : text;
        return PrintableName.of(cut.replaceAll("\\p{Cntrl}+", " "));
    }

    private static void skip(JsonReader json) throws IOException {
        int depth = 0;
        do {
            switch (json.peek()) {
                case BEGIN_ARRAY -> {
                    json.beginArray();
                    depth++;
                }
                case BEGIN_OBJECT -> {
                    json.beginObject();
                    depth++;
                }
                case END_ARRAY -> {
                    json.endArray();
                    depth--;
                }
                case END_OBJECT -> {
                    json.endObject();
                    depth--;
                }
                case NAME -> {
                    String unused = json.nextName();
                }
                case STRING, NUMBER, BOOLEAN, NULL -> json.skipValue();
                case END_DOCUMENT -> throw new IOException("the page ends too early");
            }
            if (depth > MAX_DEPTH) {
                throw new IOException("the page is deeper than " + MAX_DEPTH);
            }
        } while (depth > 0);
    }
}
