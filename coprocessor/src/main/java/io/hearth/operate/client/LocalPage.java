package io.hearth.operate.client;

import io.hearth.web.hbase.Answer;
import io.hearth.web.hbase.DoctorRounds;
import io.hearth.web.hbase.PageAnswers;
import io.hearth.web.hbase.Published;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hearth's page of a cluster as a process sees it from outside, for the one person who started it ({@link LocalPageServer}). */
public final class LocalPage implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalPage.class);

    private static final long EVERY_MS = 5_000;

    private final Connection connection;
    private final LiveCluster cluster;
    private final LocalPageServer server;
    private final DoctorRounds doctor;
    private volatile Published published;

    private LocalPage(Connection connection, LiveCluster cluster, int port, DoctorRounds doctor) throws IOException {
        this.connection = connection;
        this.cluster = cluster;
        this.doctor = doctor;
        this.published = LivePage.of(cluster, doctor.word());
        this.server = LocalPageServer.open(port, this::answer);
    }

    /** Looks for the first time and begins to answer. */
    public static LocalPage open(Configuration site, int port) throws IOException {
        Connection connection = ConnectionFactory.createConnection(site);
        LiveCluster cluster = LiveCluster.forAnEye(connection, site);
        cluster.look(2);
        DoctorRounds doctor = new DoctorRounds(
                failure -> LOG.warn("The doctor could not examine the cluster; what he found last is shown.", failure));
        LocalPage page = new LocalPage(connection, cluster, port, doctor);
        page.server.start();
        return page;
    }

    /** The address to open, with the token that it needs. */
    public String url() {
        return server.url();
    }

    /** Looks again and again; ends with the process, or when the cluster can't be looked at. */
    public void serve() throws IOException {
        while (true) {
            LiveCluster.pause(EVERY_MS);
            doctor.goIfDue(cluster.connection().getConfiguration(), System.currentTimeMillis());
            cluster.look();
            published = LivePage.of(cluster, doctor.word());
        }
    }

    private Answer answer(String path, Map<String, String> query) {
        if (PageAnswers.asksTheDoctor(path)) {
            return PageAnswers.doctorAsked(true, true, doctor::askNow);
        }
        return path.equals("/hearth/api/actions")
                ? Answer.json(
                        Answer.OK,
                        "{\"allowed\":false,\"why\":\"This page looks at the cluster from outside and only shows.\"}")
                : PageAnswers.get(path, query, published);
    }

    @Override
    public void close() throws IOException {
        server.close();
        cluster.close();
        connection.close();
    }
}
