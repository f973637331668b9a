// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** All documents of the source as HTML files: those of the root, of {@code docs} and of {@code docs/decisions}. Stateless. */
public final class HtmlDocuments {

    private static final List<String> FOLDERS = List.of("", "docs", "docs/decisions");

    private HtmlDocuments() {}

    /** Writes the documents of the first folder into the second, in folders of the same names, in the place of the HTML files there. */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        Path out = Path.of(args[1]);
        deletePages(out);
        Set<String> documents = documents(root);
        for (String document : documents) {
            Path page = out.resolve(HtmlPage.nameOf(document));
            Files.createDirectories(page.toAbsolutePath().getParent());
            Files.writeString(
                    page,
                    HtmlPage.render(
                            document,
                            Files.readString(root.resolve(document)),
                            target -> documents.contains(target) || isPublished(root, target)));
        }
        System.out.println(documents.size() + " documents are HTML in " + out);
    }

    /** Their paths below the root, sorted. */
    static Set<String> documents(Path root) {
        Set<String> documents = new TreeSet<>();
        for (String folder : FOLDERS) {
            for (Path file : files(root.resolve(folder))) {
                String name = file.getFileName().toString();
                if (name.endsWith(".md")) {
                    documents.add(folder.isEmpty() ? name : folder + "/" + name);
                }
            }
        }
        return documents;
    }

    /** Whether it is one of the other files of the tarball, as {@code dist/src/assembly/bin.xml} has them. */
    private static boolean isPublished(Path root, String target) {
        return target.matches("(conf|docs)/.*|LICENSE|NOTICE") && Files.isRegularFile(root.resolve(target));
    }

    private static void deletePages(Path out) throws IOException {
        if (Files.isDirectory(out)) {
            try (Stream<Path> files = Files.walk(out)) {
                for (Path page :
                        files.filter(file -> file.toString().endsWith(".html")).toList()) {
                    Files.delete(page);
                }
            }
        }
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
