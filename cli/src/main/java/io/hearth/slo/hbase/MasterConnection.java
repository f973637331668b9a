// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.healer.hbase.HealerUser;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.io.IOUtils;

/** A connection to the active HMaster that is made when it is first needed, and gives up within seconds. Used by one thread. */
final class MasterConnection implements Closeable {

    private final Configuration site;
    private final HealerUser user;
    private Optional<Connection> connection = Optional.empty();

    MasterConnection(Configuration site, HealerUser user) {
        this.site = new Configuration(site);
        this.site.setInt("hbase.client.retries.number", 3);
        this.site.setLong("hbase.client.operation.timeout", TimeUnit.SECONDS.toMillis(15));
        this.site.setLong("hbase.rpc.timeout", TimeUnit.SECONDS.toMillis(10));
        this.user = user;
    }

    /** Something that is asked of the HMaster. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Admin admin) throws IOException;
    }

    /** @throws IOException if it can't be asked; the next call tries again */
    <T> T ask(Question<T> question) throws IOException {
        if (connection.isEmpty()) {
            connection = Optional.of(ConnectionFactory.createConnection(site, User.create(user.ugi())));
        }
        try (Admin admin = connection.get().getAdmin()) {
            return question.ask(admin);
        }
    }

    @Override
    public void close() {
        connection.ifPresent(IOUtils::closeStream);
        connection = Optional.empty();
    }
}
