// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Optional;

/** What the HMaster does for the watch of service level objectives: the canary table, and rest while an objective is in danger. */
public final class SloSettings {

    /** Set in the shell by {@code alter 't', METADATA => {'HEARTH_CANARY' => 'true'}}. */
    public static final String TABLE_KEY = "HEARTH_CANARY";

    public static final Setting<String> CANARY_TABLE = Setting.of(
            "hearth.slo.canary.table",
            "hearth_canary",
            "the name of a table",
            "The canary table, if its descriptor has HEARTH_CANARY = true.",
            SloSettings::tableName);

    public static final Setting<Boolean> BRAKE = Setting.bool(
            "hearth.slo.brake",
            false,
            "Whether the SLO watch may stop healing and balancing, for at most a minute at a time.");

    private static final Setting<Boolean> MARK = Setting.bool(
            TABLE_KEY, false, "Whether the table is a canary table, if hearth.slo.canary.table has its name.");

    private static final String DEFAULT_NAMESPACE = "default:";

    private SloSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(CANARY_TABLE, BRAKE);
    }

    /** Without the default namespace, as HBase writes it. */
    private static Optional<String> tableName(String text) {
        return text.matches("(\\w+:)?\\w[\\w.-]*")
                ? Optional.of(text.startsWith(DEFAULT_NAMESPACE) ? text.substring(DEFAULT_NAMESPACE.length()) : text)
                : Optional.empty();
    }

    /**
     * What the HMaster was told. Immutable.
     *
     * @param canaryTable the name that a canary table must have
     * @param mayBrake whether SLO watches may have healing and balancing rest
     */
    public record SloConfig(String canaryTable, boolean mayBrake) {

        /** Reads both; the reader has every value that can't be used afterwards. */
        public static SloConfig read(SettingsReader reader) {
            return new SloConfig(reader.read(CANARY_TABLE), reader.read(BRAKE));
        }
    }

    /**
     * Whether a table is marked as a canary table in its descriptor, so that no table is taken for one by its name alone. Immutable.
     *
     * @param isCanary false where the value can't be used
     * @param problems the value that can't be used
     */
    public record CanaryMark(boolean isCanary, List<ConfigProblem> problems) {

        /**
         * What this table's descriptor says.
         *
         * @param descriptor Hearth's values of it
         */
        public static CanaryMark read(TableId table, RawSettings descriptor) {
            SettingsReader reader = new SettingsReader("table " + table, descriptor);
            boolean isCanary = reader.read(MARK);
            return new CanaryMark(isCanary, reader.problems());
        }
    }
}
