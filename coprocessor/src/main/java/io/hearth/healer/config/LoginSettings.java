// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.UnknownKeys;
import java.util.List;
import java.util.Optional;

/** The {@code hearth.healer.} keys: as whom healing speaks to HDFS. Read when healing starts. */
public final class LoginSettings {

    private static final String PREFIX = "hearth.healer.";

    public static final Setting<String> KEYTAB_FILE = Setting.of(
            PREFIX + "keytab.file",
            "",
            "a local file",
            "Keytab of a login of healing's own, with the principal. Without the two it uses the login of"
                    + " its process.",
            Optional::of);

    public static final Setting<String> PRINCIPAL = Setting.of(
            PREFIX + "kerberos.principal",
            "",
            "a principal; _HOST in it stands for this host",
            "Principal in that keytab. With block access tokens it must be in dfs.permissions.superusergroup"
                    + " of the NameNode.",
            Optional::of);

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(KEYTAB_FILE, PRINCIPAL);

    private LoginSettings() {}

    /**
     * The login that is asked for; empty where none is.
     *
     * @throws IllegalArgumentException if only one of the two keys is set
     */
    public static Optional<LoginConfig> read(RawSettings raw) {
        Optional<String> keytab = raw.value(KEYTAB_FILE.key());
        Optional<String> principal = raw.value(PRINCIPAL.key());
        if (keytab.isPresent() != principal.isPresent()) {
            throw new IllegalArgumentException((keytab.isPresent() ? KEYTAB_FILE : PRINCIPAL).key() + " is set and "
                    + (keytab.isPresent() ? PRINCIPAL : KEYTAB_FILE).key()
                    + " is not. Set both, or neither to speak to HDFS as the process does.");
        }
        return keytab.flatMap(file -> principal.map(name -> new LoginConfig(file, name)));
    }

    static List<ConfigProblem> unknownKeys(String where, RawSettings raw) {
        List<String> keys = ALL.stream().map(Setting::key).toList();
        return UnknownKeys.find(where, raw, PREFIX, keys::contains, keys);
    }

    /**
     * With which keytab and as which Kerberos principal healing speaks to HDFS. {@link LoginSettings} has the keys. Immutable.
     */
    public record LoginConfig(String keytabFile, String principal) {}
}
