// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealerUserTest {

    @TempDir
    private Path dir;

    private final Configuration conf = new Configuration(false);

    @AfterEach
    void notSecureAnyMore() {
        UserGroupInformation.reset();
        System.clearProperty("java.security.krb5.realm");
        System.clearProperty("java.security.krb5.kdc");
    }

    @Test
    void withoutKeysItIsTheProcess() throws Exception {
        HealerUser user = HealerUser.login(conf);

        assertThat(user.ugi()).isEqualTo(UserGroupInformation.getCurrentUser());
        assertThat(user.doAs(() -> UserGroupInformation.getCurrentUser().getShortUserName()))
                .isEqualTo(user.shortName());
        user.keepLoggedIn();
    }

    @Test
    void withoutSecurityTheKeysAreNotNeeded() throws Exception {
        askForLogin();

        assertThat(HealerUser.login(conf).ugi()).isEqualTo(UserGroupInformation.getCurrentUser());
    }

    @Test
    void aKeytabThatIsNotThereIsOneLine() {
        secure();
        askForLogin();

        assertThatThrownBy(() -> HealerUser.login(conf))
                .isInstanceOf(HealerLoginException.class)
                .hasMessage("Healing can't log in as hearth/host1@EXAMPLE.COM from " + dir.resolve("none.keytab")
                        + ": java.io.IOException: the keytab can't be read. Check hearth.healer.kerberos.principal,"
                        + " hearth.healer.keytab.file (klist -kt shows what is in it) and krb5.conf.");
    }

    @Test
    void halfALoginIsOneLine() {
        conf.set("hearth.healer.kerberos.principal", "hearth");

        assertThatThrownBy(() -> HealerUser.login(conf))
                .isInstanceOf(HealerLoginException.class)
                .hasMessage("hearth.healer.kerberos.principal is set and hearth.healer.keytab.file is not. Set both, or"
                        + " neither to speak to HDFS as the process does.");
    }

    private void askForLogin() {
        conf.set("hearth.healer.kerberos.principal", "hearth/host1@EXAMPLE.COM");
        conf.set("hearth.healer.keytab.file", dir.resolve("none.keytab").toString());
    }

    private static void secure() {
        System.setProperty("java.security.krb5.realm", "EXAMPLE.COM");
        System.setProperty("java.security.krb5.kdc", "localhost:1");
        Configuration secure = new Configuration(false);
        secure.set("hadoop.security.authentication", "kerberos");
        UserGroupInformation.setConfiguration(secure);
    }
}
