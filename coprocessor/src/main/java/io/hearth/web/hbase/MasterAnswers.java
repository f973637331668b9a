package io.hearth.web.hbase;

import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.web.config.PageConfig;
import io.hearth.web.config.PageSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;

/** Answers one request in one master. */
final class MasterAnswers {

    private final HMaster master;
    private final PagePublisher publisher;
    private final PageMetrics metrics;

    MasterAnswers(HMaster master, PagePublisher publisher, PageMetrics metrics) {
        this.master = master;
        this.publisher = publisher;
        this.metrics = metrics;
    }

    /** Empty where the page is switched off. */
    Optional<Answer> of(String path, HttpServletRequest request) throws Exception {
        PageConfig config = PageSettings.read("", new ConfigurationSettings(master.getConfiguration()))
                .config();
        if (!config.enabled()) {
            return Optional.empty();
        }
        String trimmed = Paths.trimmed(path);
        if (trimmed.equals(Paths.ACTIONS) || trimmed.startsWith(Paths.ACTIONS + "/")) {
            return Optional.of(new PageActions(master, config, metrics).of(trimmed, request));
        }
        if (PageAnswers.asksTheDoctor(trimmed)) {
            return Optional.of(PageAnswers.doctorAsked(
                    request.getMethod().equals("POST"),
                    request.getHeader(ActionGate.CSRF_HEADER) != null,
                    publisher::askDoctor));
        }
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            return Optional.of(Answer.problem(
                    Answer.METHOD_NOT_ALLOWED,
                    "Only GET is allowed here; what changes something is under " + Paths.ACTIONS + "."));
        }
        Optional<Published> published = publisher.look();
        if (published.isEmpty()) {
            return Optional.of(trimmed.equals(Paths.PAGE) ? PageAnswers.document() : notYet());
        }
        return Optional.of(PageAnswers.get(trimmed, query(request), published.get()));
    }

    private static Map<String, String> query(HttpServletRequest request) {
        Map<String, String> query = new HashMap<>();
        for (String name : new String[] {"at", "index"}) {
            String value = request.getParameter(name);
            if (value != null) {
                query.put(name, value);
            }
        }
        return query;
    }

    private Answer notYet() {
        if (master.isActiveMaster()) {
            return Answer.problem(
                    Answer.UNAVAILABLE, "This master has only just become active: try again in a second.");
        }
        return Answer.problem(
                Answer.UNAVAILABLE,
                master.getActiveMaster()
                        .map(ServerName::getHostname)
                        .map(this::whereTheActiveOneIs)
                        .orElse("This master is a backup, and no master is active."));
    }

    private String whereTheActiveOneIs(String host) {
        int port = master.getActiveMasterInfoPort();
        return "This master is a backup. The active one "
                + (port > 0 ? "has its web UI at " + host + ":" + port : "is on " + host) + ".";
    }
}
