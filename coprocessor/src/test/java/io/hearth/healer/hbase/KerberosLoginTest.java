// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import java.io.File;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AccessController;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The healer's own login, which is the SLO watch's too, with a KDC in this JVM. */
class KerberosLoginTest {

    @TempDir
    private static Path dir;

    private static MiniKdc kdc;
    private static File keytab;

    @BeforeAll
    static void aMasterThatIsLoggedIn() throws Exception {
        Properties properties = MiniKdc.createConf();
        kdc = new MiniKdc(properties, dir.toFile());
        kdc.start();
        keytab = dir.resolve("both.keytab").toFile();
        kdc.createPrincipal(keytab, "master/localhost", "hearth/localhost");
        Configuration secure = new Configuration(false);
        secure.set("hadoop.security.authentication", "kerberos");
        secure.set("hadoop.security.auth_to_local", "RULE:[2:$1] RULE:[1:$1]");
        // Hours pass in no time here.
        secure.set("hadoop.kerberos.min.seconds.before.relogin", "0");
        UserGroupInformation.setConfiguration(secure);
        UserGroupInformation.loginUserFromKeytab("master/localhost@" + kdc.getRealm(), keytab.getPath());
    }

    @AfterAll
    static void notSecureAnyMore() {
        kdc.stop();
        UserGroupInformation.reset();
        System.clearProperty("java.security.krb5.conf");
    }

    @Test
    void healingIsItsOwnPrincipalAndTheMasterStaysItself() throws Exception {
        HealerUser healer = HealerUser.login(asking("hearth/localhost@" + kdc.getRealm(), keytab.getPath()));

        assertThat(healer.shortName()).isEqualTo("hearth");
        assertThat(healer.doAs(() -> UserGroupInformation.getCurrentUser().getShortUserName()))
                .isEqualTo("hearth");
        assertThat(healer.ugi().hasKerberosCredentials()).isTrue();
        healer.keepLoggedIn();
        assertThat(UserGroupInformation.getLoginUser().getShortUserName()).isEqualTo("master");
        assertThat(UserGroupInformation.getCurrentUser().getShortUserName()).isEqualTo("master");
    }

    /** Hours pass for a ticket by another one in its place that was fetched earlier. */
    @Test
    @SuppressWarnings("removal") // Subject.current() is there from JDK 18 on.
    void overThreeDaysItsTicketIsFetchedAnewEachTimeThatFourFifthsOfItsLifeAreOver() throws Exception {
        HealerUser healer = HealerUser.login(asking("hearth/localhost@" + kdc.getRealm(), keytab.getPath()));
        Subject subject = healer.doAs(() -> Subject.getSubject(AccessController.getContext()));
        List<Integer> renewedAfterHours = new ArrayList<>();
        for (int hour = 1; hour <= 72; hour++) {
            KerberosTicket older = earlier(ticket(subject));
            subject.getPrivateCredentials().remove(ticket(subject));
            subject.getPrivateCredentials().add(older);

            healer.keepLoggedIn();

            assertThat(ticket(subject).isCurrent()).as("after %d hours", hour).isTrue();
            if (!ticket(subject).equals(older)) {
                renewedAfterHours.add(hour);
            }
        }
        assertThat(renewedAfterHours).as("of a ticket that lasts 24 hours").containsExactly(20, 40, 60);
        assertThat(healer.shortName()).isEqualTo("hearth");
        assertThat(UserGroupInformation.getLoginUser().getShortUserName()).isEqualTo("master");
    }

    private static KerberosTicket ticket(Subject subject) {
        return subject.getPrivateCredentials(KerberosTicket.class).stream()
                .filter(ticket -> ticket.getServer().getName().startsWith("krbtgt/"))
                .findFirst()
                .orElseThrow();
    }

    /** The same one, of which a further twenty-fourth of its life is over. */
    private static KerberosTicket earlier(KerberosTicket ticket) {
        long hourMs = (ticket.getEndTime().getTime() - ticket.getStartTime().getTime()) / 24;
        return new KerberosTicket(
                ticket.getEncoded(),
                ticket.getClient(),
                ticket.getServer(),
                ticket.getSessionKey().getEncoded(),
                ticket.getSessionKeyType(),
                ticket.getFlags(),
                new Date(ticket.getAuthTime().getTime() - hourMs),
                new Date(ticket.getStartTime().getTime() - hourMs),
                new Date(ticket.getEndTime().getTime() - hourMs),
                ticket.getRenewTill(),
                ticket.getClientAddresses());
    }

    @Test
    void aPrincipalThatIsNotInTheKeytabIsOneLine() {
        String principal = "nobody/localhost@" + kdc.getRealm();

        assertThatThrownBy(() -> HealerUser.login(asking(principal, keytab.getPath())))
                .isInstanceOf(HealerLoginException.class)
                .hasMessageStartingWith("Healing can't log in as " + principal + " from " + keytab + ": ")
                .hasMessageEndingWith(
                        " Check hearth.healer.kerberos.principal, hearth.healer.keytab.file (klist -kt shows"
                                + " what is in it) and krb5.conf.")
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("\n"));
    }

    /** Whoever starts a healer again and again goes by the cause: a KDC that is away comes back, a wrong principal stays wrong. */
    @Test
    void thatNoKdcAnswersIsTheCause() throws Exception {
        String realm = kdc.getRealm();
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        Path away = dir.resolve("away.conf");
        Files.writeString(
                away,
                "[libdefaults]\ndefault_realm = " + realm + "\nudp_preference_limit = 1\nmax_retries = 1\n[realms]\n"
                        + realm + " = {\n kdc = 127.0.0.1:" + port + "\n}\n");
        String own = System.getProperty("java.security.krb5.conf");
        System.setProperty("java.security.krb5.conf", away.toString());
        try {
            // Each login by a keytab reads krb5.conf again.
            assertThatThrownBy(() -> HealerUser.login(asking("hearth/localhost@" + realm, keytab.getPath())))
                    .isInstanceOf(HealerLoginException.class)
                    .hasRootCauseInstanceOf(ConnectException.class);
        } finally {
            System.setProperty("java.security.krb5.conf", own);
        }
    }

    @Test
    void withoutKeysItIsTheMaster() throws Exception {
        assertThat(HealerUser.login(new Configuration(false)).shortName()).isEqualTo("master");
    }

    private static Configuration asking(String principal, String keytabFile) {
        Configuration conf = new Configuration(false);
        conf.set("hearth.healer.kerberos.principal", principal);
        conf.set("hearth.healer.keytab.file", keytabFile);
        return conf;
    }
}
