// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonToken;
import org.apache.hbase.thirdparty.com.google.gson.stream.MalformedJsonException;

/** A value of a JSON text that knows where it stands, so that every complaint says so. Immutable. */
public final class JsonPathValue {

    private final String path;
    private final JsonElement element;

    JsonPathValue(String path, JsonElement element) {
        this.path = path;
        this.element = element;
    }

    /**
     * This whole text, which has to be strict JSON to its end.
     *
     * @throws JsonFormatException if it is not
     */
    public static JsonPathValue parse(Reader text) throws IOException, JsonFormatException {
        // Unlike JsonParser, an adapter leaves the reader as strict as it is; older Gsons have no name for that.
        JsonReader reader = new JsonReader(text);
        try {
            JsonElement whole = new Gson().getAdapter(JsonElement.class).read(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new JsonFormatException("there is more after the end of the JSON");
            }
            return new JsonPathValue("", whole);
        } catch (JsonParseException | IllegalStateException | MalformedJsonException | EOFException notJson) {
            throw new JsonFormatException("it is no JSON: "
                    + String.valueOf(notJson.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /** The value of this name. */
    JsonPathValue field(String name) throws JsonFormatException {
        return optional(name).orElseThrow(() -> new JsonFormatException(inside(name) + " is missing"));
    }

    /** The value of this name, where there is one. */
    Optional<JsonPathValue> optional(String name) throws JsonFormatException {
        JsonElement value = object().get(name);
        return value == null ? Optional.empty() : Optional.of(new JsonPathValue(inside(name), value));
    }

    /** The names, where they are data. */
    List<String> names() throws JsonFormatException {
        return List.copyOf(object().keySet());
    }

    List<JsonPathValue> items() throws JsonFormatException {
        if (!(element instanceof JsonArray array)) {
            throw mustBe("a list");
        }
        List<JsonPathValue> items = new ArrayList<>(array.size());
        for (int index = 0; index < array.size(); index++) {
            items.add(new JsonPathValue(path + "[" + index + "]", array.get(index)));
        }
        return items;
    }

    String text() throws JsonFormatException {
        if (element instanceof JsonPrimitive primitive && primitive.isString()) {
            return primitive.getAsString();
        }
        throw mustBe("a text");
    }

    boolean bool() throws JsonFormatException {
        if (element instanceof JsonPrimitive primitive && primitive.isBoolean()) {
            return primitive.getAsBoolean();
        }
        throw mustBe("true or false");
    }

    double number() throws JsonFormatException {
        if (element instanceof JsonPrimitive primitive && primitive.isNumber()) {
            return primitive.getAsDouble();
        }
        throw mustBe("a number");
    }

    long wholeNumber(long least, long most) throws JsonFormatException {
        String allowed = "a whole number from " + least + " to " + most;
        if (!(element instanceof JsonPrimitive primitive && primitive.isNumber())) {
            throw mustBe(allowed);
        }
        try {
            long number = Long.parseLong(element.getAsString());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notWhole) {
            // Said below.
        }
        throw mustBe(allowed);
    }

    <E extends Enum<E>> E choice(Class<E> type) throws JsonFormatException {
        String name = text();
        for (E choice : type.getEnumConstants()) {
            if (choice.name().equals(name)) {
                return choice;
            }
        }
        throw mustBe("one of " + Arrays.toString(type.getEnumConstants()).replaceAll("[\\[\\]]", ""));
    }

    /** The complaint that this value is something else. */
    JsonFormatException mustBe(String allowed) {
        String text = element.toString();
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return new JsonFormatException(path + " is " + shown + "; it must be " + allowed);
    }

    /** The complaint of whoever made something of this value. */
    JsonFormatException refused(String why) {
        return new JsonFormatException(path + ": " + why);
    }

    private JsonObject object() throws JsonFormatException {
        if (element instanceof JsonObject object) {
            return object;
        }
        throw mustBe("an object");
    }

    private String inside(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Says what is wrong in a JSON text, where, and what is allowed there; one line. */
    public static final class JsonFormatException extends Exception {

        private static final long serialVersionUID = 1;

        JsonFormatException(String message) {
            super(message);
        }

        /** The line. */
        public String line() {
            return String.valueOf(getMessage());
        }
    }
}
