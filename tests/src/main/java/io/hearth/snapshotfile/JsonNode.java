package io.hearth.snapshotfile;

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
final class JsonNode {

    private final String path;
    private final JsonElement element;

    JsonNode(String path, JsonElement element) {
        this.path = path;
        this.element = element;
    }

    /** The value of this name. */
    JsonNode field(String name) throws SnapshotFileProblem {
        return optional(name).orElseThrow(() -> new SnapshotFileProblem(inside(name) + " is missing"));
    }

    /** The value of this name, where there is one. */
    Optional<JsonNode> optional(String name) throws SnapshotFileProblem {
        JsonElement value = object().get(name);
        return value == null ? Optional.empty() : Optional.of(new JsonNode(inside(name), value));
    }

    /** Complains where there is another name than these. */
    JsonNode allowing(String... names) throws SnapshotFileProblem {
        Set<String> allowed = Set.of(names);
        for (String name : object().keySet()) {
            if (!allowed.contains(name)) {
                throw new SnapshotFileProblem(inside(name) + " is not known; allowed are " + String.join(", ", names));
            }
        }
        return this;
    }

    /** The names, where they are data. */
    List<String> names() throws SnapshotFileProblem {
        return List.copyOf(object().keySet());
    }

    List<JsonNode> items() throws SnapshotFileProblem {
        if (!(element instanceof JsonArray array)) {
            throw mustBe("a list");
        }
        List<JsonNode> items = new ArrayList<>(array.size());
        for (int index = 0; index < array.size(); index++) {
            items.add(new JsonNode(path + "[" + index + "]", array.get(index)));
        }
        return items;
    }

    String text() throws SnapshotFileProblem {
        if (element instanceof JsonPrimitive primitive && primitive.isString()) {
            return primitive.getAsString();
        }
        throw mustBe("a text");
    }

    boolean yes() throws SnapshotFileProblem {
        if (element instanceof JsonPrimitive primitive && primitive.isBoolean()) {
            return primitive.getAsBoolean();
        }
        throw mustBe("true or false");
    }

    double number() throws SnapshotFileProblem {
        if (element instanceof JsonPrimitive primitive && primitive.isNumber()) {
            return primitive.getAsDouble();
        }
        throw mustBe("a number");
    }

    long wholeNumber(long least, long most) throws SnapshotFileProblem {
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

    <E extends Enum<E>> E choice(Class<E> type) throws SnapshotFileProblem {
        String name = text();
        for (E choice : type.getEnumConstants()) {
            if (choice.name().equals(name)) {
                return choice;
            }
        }
        throw mustBe("one of " + Arrays.toString(type.getEnumConstants()).replaceAll("[\\[\\]]", ""));
    }

    /** The complaint that this value is something else. */
    SnapshotFileProblem mustBe(String allowed) {
        String text = element.toString();
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return new SnapshotFileProblem(path + " is " + shown + "; it must be " + allowed);
    }

    /** The complaint of whoever made something of this value. */
    SnapshotFileProblem refused(String why) {
        return new SnapshotFileProblem(path + ": " + why);
    }

    private JsonObject object() throws SnapshotFileProblem {
        if (element instanceof JsonObject object) {
            return object;
        }
        throw mustBe("an object");
    }

    private String inside(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
