import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { projectFolder } from './start-line.ts'

// The example alerts, evaluated by Prometheus' own tool on series as Prometheus stores them: each has the
// label `instance` of the process that was scraped.

interface Rule {
  alert: string
  annotations: Record<string, string>
}
const { groups } = parse(readFileSync(join(projectFolder, 'docs', 'alerts.yml'), 'utf8')) as {
  groups: { rules: Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)

/** Values of a series, one a minute: '1x60' stays, '0+5x60' grows. */
type Series = Record<string, string>
interface Case {
  fires: Series
  silent: Series
  /** Of the alerts that fire; by default one. */
  count?: number
}

const steady = (value: number) => `${value}+0x60`
/** A gauge that is too high, and one that is not. */
const above = (series: string, bad: number, good: number): Case => ({
  fires: { [series]: steady(bad) },
  silent: { [series]: steady(good) },
})
const answers = (kind: string) => `balcao_gateway_answer_seconds_count{kind="${kind}"}`
const buckets = (metric: string, fast: string, slow: string): Series => ({
  [`${metric}_bucket{le="0.5"}`]: fast,
  [`${metric}_bucket{le="30"}`]: slow,
  [`${metric}_bucket{le="+Inf"}`]: slow,
})

const cases: Record<string, Case> = {
  BalcaoDown: above('up{job="balcao"}', 0, 1),
  BalcaoDatabaseAway: above('balcao_database_up', 0, 1),
  BalcaoInboxWaits: above('balcao_inbox_oldest_seconds', 130, 110),
  BalcaoLanesStuck: above('balcao_inbox_stuck_lanes', 1, 0),
  BalcaoDeadLetters: above('balcao_inbox_dead', 1, 0),
  BalcaoFilesFail: above('balcao_files_failing', 21, 20),
  BalcaoQuarantine: above('balcao_inbox_quarantined', 1, 0),
  BalcaoWebhookRefused: {
    fires: { balcao_webhook_refused_total: '0+5x60' },
    silent: { balcao_webhook_refused_total: '0+1x60' },
  },
  BalcaoLoginFailures: {
    fires: { balcao_login_failures_total: '0+10x60' },
    silent: { balcao_login_failures_total: '0+2x60' },
  },
  BalcaoAuditChanged: above('balcao_audit_breaks', 1, 0),
  BalcaoAuditNotSealed: above('balcao_audit_unsealed_seconds', 301, 299),
  BalcaoGatewayDisconnected: {
    // One of two numbers of an installation of two processes.
    fires: {
      'balcao_gateway_connected{number="loja1",instance="a:3000"}': steady(0),
      'balcao_gateway_connected{number="loja1",instance="b:3000"}': steady(0),
      'balcao_gateway_connected{number="loja2",instance="a:3000"}': steady(1),
      'balcao_gateway_connected{number="loja2",instance="b:3000"}': steady(1),
    },
    silent: {
      'balcao_gateway_connected{number="loja1",instance="a:3000"}': steady(1),
      'balcao_gateway_connected{number="loja2",instance="a:3000"}': steady(1),
    },
  },
  BalcaoBreakerOpen: {
    fires: {
      'balcao_gateway_breaker_open{number="loja1",instance="a:3000"}': steady(1),
      'balcao_gateway_breaker_open{number="loja2",instance="a:3000"}': steady(1),
      'balcao_gateway_breaker_open{number="loja3",instance="a:3000"}': steady(0),
    },
    silent: { 'balcao_gateway_breaker_open{number="loja1",instance="a:3000"}': steady(0) },
    count: 2,
  },
  BalcaoOutboxWaits: above('balcao_outbox_oldest_seconds{state="pending"}', 301, 299),
  BalcaoUnknownSends: above('balcao_outbox_messages{state="unknown"}', 6, 5),
  BalcaoSendsUncertain: {
    fires: { [answers('sent')]: '0+8x60', [answers('uncertain')]: '0+2x60' },
    silent: { [answers('sent')]: '0+99x60', [answers('uncertain')]: '0+1x60' },
  },
  BalcaoGatewaySlow: {
    fires: buckets('balcao_gateway_answer_seconds', '0+1x60', '0+10x60'),
    silent: buckets('balcao_gateway_answer_seconds', '0+10x60', '0+10x60'),
  },
  BalcaoEventsBehind: {
    fires: { balcao_event_lag_seconds: steady(0), balcao_event_unsettled_seconds: steady(61) },
    silent: { balcao_event_lag_seconds: steady(29), balcao_event_unsettled_seconds: steady(59) },
  },
  BalcaoErrors: {
    fires: { 'balcao_http_request_seconds_count{status="5xx"}': '0+15x60' },
    silent: {
      'balcao_http_request_seconds_count{status="5xx"}': '0+1x60',
      'balcao_http_request_seconds_count{status="2xx"}': '0+900x60',
    },
  },
  BalcaoSlow: {
    fires: buckets('balcao_http_request_seconds', '0+1x60', '0+10x60'),
    silent: buckets('balcao_http_request_seconds', '0+10x60', '0+10x60'),
  },
  BalcaoPoolExhausted: above('balcao_database_waiting', 21, 20),
  BalcaoGatewayForgets: {
    fires: { balcao_sweep_found_total: '0+0x20 1+0x40' },
    silent: { balcao_sweep_found_total: steady(3) },
  },
  BalcaoGatewayDoubles: above('balcao_gateway_duplicates', 1, 0),
  BalcaoBackupOld: above('balcao_backup_age_seconds', 49 * 3600, 47 * 3600),
  BalcaoDiskNearlyFull: {
    fires: { balcao_disk_free_bytes: steady(9), balcao_disk_size_bytes: steady(100) },
    silent: { balcao_disk_free_bytes: steady(11), balcao_disk_size_bytes: steady(100) },
  },
  BalcaoBucketAway: above('balcao_bucket_up{bucket="balcao"}', 0, 1),
}

test('every alert has a case, and every case its alert', () => {
  expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
})

function testOf(alert: string, series: Series) {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    // What fires is counted, since its labels are those of the series.
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: '55m',
        exp_samples: [{ labels: '{}', value: 0 }],
      },
    ],
  }
}

test.skipIf(spawnSync('promtool', ['--version']).status !== 0).each(Object.entries(cases))(
  '%s fires when it is meant to, and is silent otherwise',
  (alert, { fires, silent, count = 1 }) => {
    const folder = mkdtempSync(join(tmpdir(), 'balcao-alerts-'))
    const file = join(folder, 'cases.yml')
    const firing = testOf(alert, fires)
    for (const { exp_samples } of firing.promql_expr_test)
      for (const sample of exp_samples) sample.value = count
    writeFileSync(
      file,
      stringify({
        rule_files: [join(projectFolder, 'docs', 'alerts.yml')],
        evaluation_interval: '1m',
        tests: [firing, testOf(alert, silent)],
      }),
    )
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(status, stdout + stderr).toBe(0)
  },
)
