package io.hearth.web.hbase;

import io.hearth.balancer.load.RegionId;
import io.hearth.web.document.PageDocument;
import io.hearth.web.model.Cells;
import io.hearth.web.model.Page;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** Answers everything that only asks and changes nothing, from what was published. Stateless. */
public final class PageAnswers {

    private static final String CELL = "cell";

    private PageAnswers() {}

    /**
     * The answer to a GET.
     *
     * @param path from {@code /hearth} on
     * @param query the parameters by name
     */
    public static Answer get(String path, Map<String, String> query, Published published) {
        String trimmed = Paths.trimmed(path);
        if (trimmed.equals(Paths.PAGE)) {
            return document();
        }
        if (trimmed.equals(Paths.API)) {
            return Answer.json(Answer.OK, index());
        }
        String name = trimmed.startsWith(Paths.API + "/") ? trimmed.substring(Paths.API.length() + 1) : "";
        if (name.equals(CELL)) {
            return cell(query, published.page());
        }
        return View.of(name)
                .map(view -> Answer.json(Answer.OK, published.json(view)))
                .orElseGet(() -> notFound(trimmed));
    }

    /** The page itself, which asks for everything else. */
    static Answer document() {
        return new Answer(
                Answer.OK,
                "text/html;charset=utf-8",
                PageDocument.html(),
                Map.of("Content-Security-Policy", PageDocument.contentSecurityPolicy()));
    }

    /** Whether this asks for a round of the doctor. */
    public static boolean asksTheDoctor(String path) {
        return Paths.trimmed(path).equals(Paths.ASK_DOCTOR);
    }

    /** The answer to that. A page of another server can't send the header without being asked first. */
    public static Answer doctorAsked(boolean isPost, boolean hasHeader, Runnable ask) {
        if (!isPost || !hasHeader) {
            return Answer.problem(
                    isPost ? Answer.FORBIDDEN : Answer.METHOD_NOT_ALLOWED,
                    "The doctor is asked by a POST with the header " + ActionGate.CSRF_HEADER + " (any value).");
        }
        ask.run();
        return Answer.json(Answer.OK, "{\"done\":\"The doctor asks every process again.\"}");
    }

    static Answer notFound(String path) {
        return Answer.problem(
                Answer.NOT_FOUND, "There is no " + path + ". " + Paths.API + " lists everything that there is.");
    }

    private static JsonArray index() {
        JsonArray all = new JsonArray();
        for (View view : View.values()) {
            JsonObject one = new JsonObject();
            one.addProperty("path", Paths.API + "/" + view.path());
            one.addProperty("what", view.doc());
            all.add(one);
        }
        return all;
    }

    /** The region behind a cell of the picture, which has no names. */
    private static Answer cell(Map<String, String> query, Page page) {
        Cells cells = page.cells();
        Optional<Long> at = number(query.get("at"));
        Optional<Long> index = number(query.get("index"));
        if (at.isEmpty()
                || index.isEmpty()
                || index.get() < 0
                || index.get() >= cells.regions().size()) {
            return Answer.problem(
                    Answer.BAD_REQUEST,
                    "at must be the atMs of " + Paths.API + "/cells, and index a number from 0 to below "
                            + cells.regions().size() + ".");
        }
        if (at.get() != page.seen().atMs()) {
            return Answer.problem(
                    Answer.NOT_FOUND, "That picture is not the last one any more: ask for the cells again.");
        }
        RegionId region = cells.regions().get(index.get().intValue()).region();
        JsonObject json = new JsonObject();
        json.addProperty("region", region.encodedName());
        return Answer.json(Answer.OK, json);
    }

    private static Optional<Long> number(@Nullable String text) {
        try {
            return text == null ? Optional.empty() : Optional.of(Long.valueOf(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }
}
