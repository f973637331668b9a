package io.hearth.web.hbase;

import io.hearth.balancer.log.OneLine;
import io.hearth.web.config.PageConfig;
import io.hearth.web.hbase.MasterActions.Asker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator may ask for under {@code /hearth/api/actions/}, past the {@link ActionGate}: HTTP's
 * part of the {@link MasterActions}.
 */
final class PageActions {

    private static final Logger LOG = LoggerFactory.getLogger(PageActions.class);
    private static final int MOST_BYTES = 16_384;
    private static final String ON_THE_PAGE = "on the master's page";

    private final HMaster master;
    private final PageMetrics metrics;
    private final ActionGate gate;

    PageActions(HMaster master, PageConfig config, PageMetrics metrics) {
        this.master = master;
        this.metrics = metrics;
        this.gate = new ActionGate(master, config);
    }

    /** The answer to a request under {@code /hearth/api/actions}: a GET of that asks whether there are any for this user. */
    Answer of(String path, HttpServletRequest request) throws IOException {
        if (path.equals(Paths.ACTIONS) && request.getMethod().equals("GET")) {
            return whoMay(request);
        }
        String name = path.equals(Paths.ACTIONS) ? "" : path.substring(Paths.ACTIONS.length() + 1);
        Optional<PageAction> action = PageAction.of(name);
        if (action.isEmpty()) {
            return PageAnswers.notFound(path);
        }
        Optional<Answer> refusal = gate.refusal(name, request);
        if (refusal.isPresent()) {
            metrics.actionRefused();
            LOG.info("{} was refused to {} by the page.", OneLine.of(name), OneLine.of(request.getRemoteUser()));
            return refusal.get();
        }
        return act(action.get(), request);
    }

    private Answer whoMay(HttpServletRequest request) {
        Optional<String> readOnly = gate.whyReadOnly(request);
        JsonObject json = new JsonObject();
        json.addProperty("allowed", readOnly.isEmpty());
        readOnly.ifPresent(why -> json.addProperty("why", why));
        return Answer.json(Answer.OK, json);
    }

    private Answer act(PageAction action, HttpServletRequest request) throws IOException {
        JsonObject wish;
        try {
            wish = body(request);
        } catch (JsonParseException | IllegalStateException unreadable) {
            return Answer.problem(
                    Answer.BAD_REQUEST,
                    "The body must be a JSON object of at most " + MOST_BYTES + " bytes, such as {\"table\": \"t\"}.");
        }
        Answer answer = new MasterActions(master).act(action, wish, new Asker(request.getRemoteUser(), ON_THE_PAGE));
        if (answer.status() == Answer.OK) {
            metrics.acted();
        }
        return answer;
    }

    private static JsonObject body(HttpServletRequest request) throws IOException {
        byte[] bytes = request.getInputStream().readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new IllegalStateException("too long");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.isBlank() ? new JsonObject() : JsonParser.parseString(text).getAsJsonObject();
    }
}
