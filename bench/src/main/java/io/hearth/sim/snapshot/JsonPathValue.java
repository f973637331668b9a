package io.hearth.sim.snapshot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A value of a JSON text that knows where it stands, so that every complaint says so. Immutable. */
final class JsonPathValue {

    private final String path;
    private final JsonElement element;

    JsonPathValue(String path, JsonElement element) {
        this.path = path;
        this.element = element;
    }

    /** The value of this name. */
    JsonPathValue field(String name) throws SnapshotFormatException {
        return optional(name).orElseThrow(() -> new SnapshotFormatException(inside(name) + " is missing"));
    }

    /** The value of this name, where there is one. */
    Optional<JsonPathValue> optional(String name) throws SnapshotFormatException {
        JsonElement value = object().get(name);
        return value == null ? Optional.empty() : Optional.of(new JsonPathValue(inside(name), value));
    }

    /** Complains where there is another name than these. */
    JsonPathValue allowing(String... names) throws SnapshotFormatException {
        Set<String> allowed = Set.of(names);
        for (String name : object().keySet()) {
            if (!allowed.contains(name)) {
                throw new SnapshotFormatException(
                        inside(name) + " is not known; allowed are " + String.join(", ", names));
            }
        }
        return this;
    }

    /** The names, where they are data. */
    List<String> names() throws SnapshotFormatException {
        return List.copyOf(object().keySet());
    }

    List<JsonPathValue> items() throws SnapshotFormatException {
        if (!(element instanceof JsonArray array)) {
            throw mustBe("a list");
        }
        List<JsonPathValue> items = new ArrayList<>(array.size());
        for (int index = 0; index < array.size(); index++) {
            items.add(new JsonPathValue(path + "[" + index + "]", array.get(index)));
        }
        return items;
    }

    String text() throws SnapshotFormatException {
        if (element instanceof JsonPrimitive primitive && primitive.isString()) {
            return primitive.getAsString();
        }
        throw mustBe("a text");
    }

    boolean bool() throws SnapshotFormatException {
        if (element instanceof JsonPrimitive primitive && primitive.isBoolean()) {
            return primitive.getAsBoolean();
        }
        throw mustBe("true or false");
    }

    double number() throws SnapshotFormatException {
        if (element instanceof JsonPrimitive primitive && primitive.isNumber()) {
            return primitive.getAsDouble();
        }
        throw mustBe("a number");
    }

    long wholeNumber(long least, long most) throws SnapshotFormatException {
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

    <E extends Enum<E>> E choice(Class<E> type) throws SnapshotFormatException {
        String name = text();
        for (E choice : type.getEnumConstants()) {
            if (choice.name().equals(name)) {
                return choice;
            }
        }
        throw mustBe("one of " + Arrays.toString(type.getEnumConstants()).replaceAll("[\\[\\]]", ""));
    }

    /** The complaint that this value is something else. */
    SnapshotFormatException mustBe(String allowed) {
        String text = element.toString();
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return new SnapshotFormatException(path + " is " + shown + "; it must be " + allowed);
    }

    /** The complaint of whoever made something of this value. */
    SnapshotFormatException refused(String why) {
        return new SnapshotFormatException(path + ": " + why);
    }

    private JsonObject object() throws SnapshotFormatException {
        if (element instanceof JsonObject object) {
            return object;
        }
        throw mustBe("an object");
    }

    private String inside(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
