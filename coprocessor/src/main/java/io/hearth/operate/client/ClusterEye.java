package io.hearth.operate.client;

import io.hearth.operate.rpc.Ask;
import io.hearth.operate.rpc.OperatorCall;
import io.hearth.web.hbase.Answer;
import io.hearth.web.hbase.PageAnswers;
import io.hearth.web.model.DoctorWord;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * One cluster, asked through Hearth's endpoint in its master where there is one, and looked at from outside where there is none.
 * Used by one thread.
 */
public final class ClusterEye implements Closeable {

    private static final int TRIES = 40;
    private static final long BETWEEN_TRIES_MS = 500;

    private final Configuration site;
    private final Connection connection;
    private final Admin admin;
    private Optional<LiveCluster> own = Optional.empty();

    private ClusterEye(Configuration site, Connection connection, Admin admin) {
        this.site = site;
        this.connection = connection;
        this.admin = admin;
    }

    /** Connects; the master is not asked yet. */
    public static ClusterEye open(Configuration site) throws IOException {
        Connection connection = ConnectionFactory.createConnection(site);
        return new ClusterEye(site, connection, connection.getAdmin());
    }

    /** What was seen, and by whom. Immutable. */
    public record Sight(JsonObject page, boolean byMaster) {}

    /**
     * The answer to this; empty where Hearth's endpoint is not in the master.
     *
     * @throws IOException if the endpoint failed, or can't be asked
     */
    public Optional<Answer> ask(Ask ask, JsonObject json) throws IOException {
        Optional<Answer> answer = OperatorCall.ask(admin, ask, json.toString());
        if (answer.isPresent() && answer.get().status() == Answer.FAILED) {
            throw new IOException(object(answer.get()).get("problem").getAsString());
        }
        return answer;
    }

    /**
     * How things stand.
     *
     * @param seconds for how long to look where nobody has looked before
     */
    public Sight look(int seconds) throws IOException {
        Optional<JsonObject> published = own.isPresent() ? Optional.empty() : lookInMaster();
        return published.isPresent() ? new Sight(published.get(), true) : new Sight(ownLook(seconds), false);
    }

    /** How things stand by the word of Hearth in the master; empty where its endpoint is not there. */
    public Optional<JsonObject> lookInMaster() throws IOException {
        for (int left = TRIES; left > 0; left--) {
            Optional<Answer> answer = ask(Ask.LOOK, new JsonObject());
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            if (answer.get().status() == Answer.OK) {
                return Optional.of(object(answer.get()));
            }
            LiveCluster.pause(BETWEEN_TRIES_MS);
        }
        throw new IOException("Hearth in the master has not looked at the cluster for "
                + TRIES * BETWEEN_TRIES_MS / 1_000 + " s; its log may say why");
    }

    private JsonObject ownLook(int seconds) throws IOException {
        if (own.isEmpty()) {
            own = Optional.of(LiveCluster.forAnEye(connection, site));
            own.get().look(seconds);
        } else {
            own.get().look();
        }
        return object(PageAnswers.get("/hearth/api/page", Map.of(), LivePage.of(own.get(), DoctorWord.NOT_YET)));
    }

    static JsonObject object(Answer answer) {
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    Configuration site() {
        return site;
    }

    Connection connection() {
        return connection;
    }

    Admin admin() {
        return admin;
    }

    @Override
    public void close() throws IOException {
        own.ifPresent(LiveCluster::close);
        admin.close();
        connection.close();
    }
}
