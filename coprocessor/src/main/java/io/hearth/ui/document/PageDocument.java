// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.document;

import io.hearth.common.model.LoadDimension;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * The page as one document, put together once from its parts. It has no number in it: those come from the API, and are put into
 * it as text, never as HTML.
 */
public final class PageDocument {

    private static final List<String> SCRIPTS = List.of(
            "units.js",
            "dom.js",
            "overview.js",
            "servers.js",
            "regions.js",
            "treemap.js",
            "picture.js",
            "healing.js",
            "datanodes.js",
            "caches.js",
            "plans.js",
            "doctor.js",
            "actions.js",
            "page.js");

    private static final String STYLE = read("page.css");
    private static final String SCRIPT = "'use strict';\n" + dimensions()
            + SCRIPTS.stream().map(PageDocument::read).collect(Collectors.joining("\n"));
    private static final String HTML =
            read("page.html").replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT);

    private PageDocument() {}

    public static String html() {
        return HTML;
    }

    /** Nothing but the document's own style and script, by their hashes, and requests to the same server. */
    public static String contentSecurityPolicy() {
        return "default-src 'none'; style-src '" + hash(STYLE) + "'; script-src '" + hash(SCRIPT)
                + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /** What an operator calls each dimension of load, and the field of a server's share where that is shown. */
    private static String dimensions() {
        StringJoiner all = new StringJoiner(",\n", "const DIMENSIONS = [\n", "\n];\n");
        for (LoadDimension dimension : LoadDimension.values()) {
            all.add("  { name: '%s', label: '%s', title: '%s', unit: '%s', counter: %s, share: %s }"
                    .formatted(
                            dimension.jsonName(),
                            dimension.label(),
                            dimension.title(),
                            dimension.unit(),
                            dimension.isCounter(),
                            dimension.shareName().map(name -> "'" + name + "'").orElse("null")));
        }
        return all.toString();
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private static String read(String name) {
        try (InputStream in = PageDocument.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar of " + PageDocument.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
