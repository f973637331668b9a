// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.common.log.PrintableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** The text of a page from a jar, with places for its parts, written {@code @@NAME@@}. Immutable. */
public final class HtmlTemplate {

    private static final String MARK = "@@";

    private final String text;

    private HtmlTemplate(String text) {
        this.text = text;
    }

    /**
     * The template of this name that lies beside this class.
     *
     * @throws IllegalStateException if it is not in the jar
     */
    public static HtmlTemplate of(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new HtmlTemplate(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The page with these parts, which are HTML: in one pass, so what a part holds is never taken for a place of another. */
    public String filled(Map<String, String> parts) {
        StringBuilder page = new StringBuilder();
        int at = 0;
        for (int open = text.indexOf(MARK); open >= 0; open = text.indexOf(MARK, at)) {
            int close = text.indexOf(MARK, open + MARK.length());
            String name = text.substring(open + MARK.length(), close);
            page.append(text, at, open)
                    .append(Objects.requireNonNull(parts.get(name), () -> "no part is named " + name));
            at = close + MARK.length();
        }
        return page.append(text, at, text.length()).toString();
    }

    /** This text as it is written in HTML, without characters that no one can see. */
    public static String escaped(String plain) {
        return PrintableName.of(plain)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
