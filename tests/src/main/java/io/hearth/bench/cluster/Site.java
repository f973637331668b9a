package io.hearth.bench.cluster;

import io.hearth.procs.ProcessCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A variant's cluster that runs, and what is used to ask and command it. */
record Site(ProcessCluster cluster, Connection connection, Admin admin, TableEyes eyes) implements AutoCloseable {

    static Site of(ProcessCluster cluster) throws IOException {
        Configuration conf = cluster.clientConfiguration();
        Connection connection = ConnectionFactory.createConnection(conf);
        return new Site(cluster, connection, connection.getAdmin(), new TableEyes(cluster, conf, connection));
    }

    /** The cluster goes on. */
    @Override
    public void close() throws IOException {
        eyes.close();
        admin.close();
        connection.close();
    }
}
