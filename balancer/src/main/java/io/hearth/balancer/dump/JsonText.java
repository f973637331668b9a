package io.hearth.balancer.dump;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes JSON as it goes: the JDK has no writer of it, and nothing else is brought into the master. Numbers are written so that
 * reading them gives the same number, bit for bit. Not thread-safe.
 */
final class JsonText {

    private static final int FIRST_PRINTABLE = 0x20;

    private final Appendable out;
    private final Deque<Boolean> isFirstByDepth = new ArrayDeque<>();

    JsonText(Appendable out) {
        this.out = out;
    }

    JsonText beginObject() throws IOException {
        return open('{');
    }

    JsonText endObject() throws IOException {
        return close('}');
    }

    JsonText beginArray() throws IOException {
        return open('[');
    }

    JsonText endArray() throws IOException {
        return close(']');
    }

    /** The name of what is written next. */
    JsonText name(String name) throws IOException {
        comma();
        string(name);
        out.append(':');
        isFirstByDepth.pop();
        isFirstByDepth.push(true);
        return this;
    }

    JsonText value(String text) throws IOException {
        comma();
        string(text);
        return this;
    }

    JsonText value(long number) throws IOException {
        comma();
        out.append(Long.toString(number));
        return this;
    }

    JsonText value(double number) throws IOException {
        comma();
        out.append(Double.toString(number));
        return this;
    }

    JsonText value(boolean yes) throws IOException {
        comma();
        out.append(Boolean.toString(yes));
        return this;
    }

    /** Begins another line, for a person who looks at the file. */
    JsonText newLine() throws IOException {
        out.append('\n');
        return this;
    }

    private JsonText open(char bracket) throws IOException {
        comma();
        out.append(bracket);
        isFirstByDepth.push(true);
        return this;
    }

    private JsonText close(char bracket) throws IOException {
        out.append(bracket);
        isFirstByDepth.pop();
        return this;
    }

    private void comma() throws IOException {
        if (!isFirstByDepth.isEmpty()) {
            if (!isFirstByDepth.pop()) {
                out.append(',');
            }
            isFirstByDepth.push(false);
        }
    }

    private void string(String text) throws IOException {
        out.append('"');
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
