// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.release;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * A document of the source, in GitHub's Markdown, as one HTML file that loads nothing from other addresses. It lies beside the document
 * under the same name, so links to files that are not documents stay as they are. Stateless.
 *
 * <p>A link to another document leads to its HTML file. Headings have the anchors that GitHub gives them. Of a link to a file that is not
 * published with the documents only the text stays.
 */
final class HtmlPage {

    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final String ENDING = ".md";

    private static final String STYLE =
            """
            body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1f2328; }
            table { border-collapse: collapse; display: block; overflow-x: auto; }
            th, td { border: 1px solid #d1d9e0; padding: .3rem .6rem; text-align: left; vertical-align: top; }
            code { background: #f3f4f6; font: .9em ui-monospace, monospace; padding: .1em .3em; }
            pre { background: #f3f4f6; overflow-x: auto; padding: .8rem; }
            pre code { padding: 0; }
            img { max-width: 100%; }
            @media (prefers-color-scheme: dark) {
              body { background: #0d1117; color: #e6edf3; }
              a { color: #58a6ff; }
              code, pre { background: #1c2128; }
              th, td { border-color: #3d444d; }
            }
            """;

    private HtmlPage() {}

    /** The name of the HTML file of this document. */
    static String nameOf(String document) {
        return document.substring(0, document.length() - ENDING.length()) + ".html";
    }

    /**
     * The HTML of a document.
     *
     * @param document its path below the root of the source, with {@code /} between folders
     * @param isPublished whether the file of this path, in the same form, is published with the documents
     */
    static String render(String document, String markdown, Predicate<String> isPublished) {
        Node tree = Parser.builder().extensions(EXTENSIONS).build().parse(markdown);
        Title title = new Title();
        tree.accept(title);
        tree.accept(new LinkChange(document, isPublished));
        String body = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> {
                    Map<String, Integer> uses = new HashMap<>();
                    return (node, tag, attributes) -> {
                        if (node instanceof Heading heading) {
                            attributes.put("id", anchor(heading, uses));
                        }
                    };
                })
                .build()
                .render(tree);
        String top = "../".repeat(document.split("/").length - 1);
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + escaped(title.text)
                + "</title>\n<style>\n" + STYLE + "</style>\n</head>\n<body>\n<nav><a href=\"" + top
                + "README.html\">Hearth</a></nav>\n" + body + "</body>\n</html>\n";
    }

    private static String anchor(Heading heading, Map<String, Integer> uses) {
        String plain = text(heading)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{Alnum}\\- _]", "")
                .replace(' ', '-');
        int before = uses.merge(plain, 1, Integer::sum) - 1;
        return before == 0 ? plain : plain + "-" + before;
    }

    private static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }
        });
        return text.toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    /** The first heading. */
    private static final class Title extends AbstractVisitor {

        private String text = "";

        @Override
        public void visit(Heading heading) {
            if (text.isEmpty()) {
                text = HtmlPage.text(heading);
            }
        }
    }

    private static final class LinkChange extends AbstractVisitor {

        private final String document;
        private final Predicate<String> isPublished;

        LinkChange(String document, Predicate<String> isPublished) {
            this.document = document;
            this.isPublished = isPublished;
        }

        @Override
        public void visit(Link link) {
            visitChildren(link);
            String target = link.getDestination();
            if (target.contains("://") || target.startsWith("#")) {
                return;
            }
            String[] parts = target.split("#", 2);
            if (!isPublished.test(resolved(parts[0]))) {
                leaveTheText(link);
            } else if (parts[0].endsWith(ENDING)) {
                link.setDestination(nameOf(parts[0]) + (parts.length == 1 ? "" : "#" + parts[1]));
            }
        }

        private String resolved(String target) {
            return Path.of(document)
                    .resolveSibling(target)
                    .normalize()
                    .toString()
                    .replace('\\', '/');
        }

        private static void leaveTheText(Link link) {
            Node part = link.getFirstChild();
            while (part != null) {
                Node next = part.getNext();
                link.insertBefore(part);
                part = next;
            }
            link.unlink();
        }
    }
}
