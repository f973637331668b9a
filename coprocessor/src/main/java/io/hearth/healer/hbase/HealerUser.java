// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.healer.config.LoginSettings;
import io.hearth.healer.config.LoginSettings.LoginConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who healing is to HDFS, and outside of a master to HBase: a principal of its own where {@code hearth.healer.keytab.file} and
 * {@code hearth.healer.kerberos.principal} are set, else the user of the process. The process's own login is left alone.
 * Thread-safe.
 */
public final class HealerUser {

    private final UserGroupInformation ugi;
    private final boolean ownLogin;

    private HealerUser(UserGroupInformation ugi, boolean ownLogin) {
        this.ugi = ugi;
        this.ownLogin = ownLogin;
    }

    /**
     * Logs in, if that is asked for.
     *
     * @throws HealerLoginException if that does not work
     */
    public static HealerUser login(Configuration conf) throws HealerLoginException {
        Optional<LoginConfig> login;
        try {
            login = LoginSettings.read(new ConfigurationSettings(conf));
        } catch (IllegalArgumentException half) {
            throw new HealerLoginException(String.valueOf(half.getMessage()));
        }
        try {
            return login.isPresent() && UserGroupInformation.isSecurityEnabled()
                    ? new HealerUser(login(login.get()), true)
                    : new HealerUser(UserGroupInformation.getCurrentUser(), false);
        } catch (IOException failure) {
            HealerLoginException explained = new HealerLoginException("Healing can't log in"
                    + login.map(known -> " as " + known.principal() + " from " + known.keytabFile())
                            .orElse("")
                    + ": " + failure.toString().lines().findFirst().orElse("")
                    + ". Check hearth.healer.kerberos.principal, hearth.healer.keytab.file (klist -kt shows what is in it)"
                    + " and krb5.conf.");
            explained.initCause(failure);
            throw explained;
        }
    }

    private static UserGroupInformation login(LoginConfig login) throws IOException {
        if (!Files.isReadable(Path.of(login.keytabFile()))) {
            throw new IOException("the keytab can't be read");
        }
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(onThisHost(login.principal()), login.keytabFile());
    }

    /** The machine's own name is looked up only where it is asked for: not every machine knows it. */
    private static String onThisHost(String principal) throws IOException {
        return principal.contains(SecurityUtil.HOSTNAME_PATTERN)
                ? SecurityUtil.getServerPrincipal(
                        principal, InetAddress.getLocalHost().getCanonicalHostName())
                : principal;
    }

    /** Without realm and host, as HDFS's permissions know it. */
    public String shortName() {
        return ugi.getShortUserName();
    }

    public UserGroupInformation ugi() {
        return ugi;
    }

    /** Fetches a new ticket when the old one has come to four fifths of its life. The process's own login is not ours to renew. */
    public void keepLoggedIn() throws IOException {
        if (ownLogin) {
            ugi.checkTGTAndReloginFromKeytab();
        }
    }

    /** Does this as that user. */
    public <T> T doAs(PrivilegedExceptionAction<T> action) throws IOException {
        try {
            return ugi.doAs(action);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        } catch (UndeclaredThrowableException failure) {
            throw new UncheckedIOException(new IOException(failure.getCause()));
        }
    }

    /** Healing could not log in. Its message is one line that says why and what to do: there is nothing to see in its stack. */
    public static final class HealerLoginException extends IOException {

        HealerLoginException(String message) {
            super(message);
        }
    }
}
