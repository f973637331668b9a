package io.hearth.demo.report;

import java.util.List;
import java.util.stream.Collectors;

/** Small pieces of well-formed HTML. */
final class Html {

    private Html() {}

    /** Text that stands for itself between tags and in quoted attributes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** An element around HTML that is finished already. */
    static String element(String tag, String cssClass, String html) {
        String attribute = cssClass.isEmpty() ? "" : " class=\"" + escape(cssClass) + "\"";
        return "<" + tag + attribute + ">" + html + "</" + tag + ">";
    }

    /** A table; the first column is text, the others are numbers; cells are finished HTML. */
    static String table(String caption, List<String> header, List<List<String>> rows) {
        String head = header.stream()
                .map(cell -> "<th scope=\"col\">" + escape(cell) + "</th>")
                .collect(Collectors.joining());
        String body = rows.stream().map(Html::row).collect(Collectors.joining("\n"));
        return "<div class=\"scroll\"><table>\n<caption>" + escape(caption) + "</caption>\n<thead><tr>" + head
                + "</tr></thead>\n<tbody>\n" + body + "\n</tbody>\n</table></div>";
    }

    private static String row(List<String> cells) {
        StringBuilder html = new StringBuilder("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            html.append(i == 0 ? "<th scope=\"row\">" : "<td>")
                    .append(cells.get(i))
                    .append(i == 0 ? "</th>" : "</td>");
        }
        return html.append("</tr>").toString();
    }
}
