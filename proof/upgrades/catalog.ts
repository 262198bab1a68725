import type { Database } from '#server/platform/database/db.ts'

/**
 * What defines the product's tables, a line for each: columns in their order, constraints, indexes,
 * sequences, functions, triggers, rules, types, policies, extensions, comments, owners and privileges. Two
 * databases with the same lines are the same but for their rows.
 */
export async function readCatalog({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    queries.map((query) => `select line collate "C" as line from (${query}) q(line)`).join(' union all ') +
      ' order by line',
  )
  return rows.map(({ line }) => line)
}

const ours = `relnamespace = 'public'::regnamespace`
/** What belongs to an extension is defined by it. */
const isOwn = (oid: string) =>
  `not exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`

const queries = [
  `select format('extension %s %s', extname, extversion) from pg_extension`,
  `select format('schema %s owner %s, %s', nspname, nspowner::regrole, nspacl) from pg_namespace
    where nspname = 'public'`,
  `select format('relation %s kind %s persistence %s owner %s, %s, %s, security %s %s, replica %s',
                 relname, relkind, relpersistence, relowner::regrole, reloptions, relacl, relrowsecurity,
                 relforcerowsecurity, relreplident)
     from pg_class where ${ours} and ${isOwn('oid')}`,
  `select format('column %s %s %s %s %s, null %s, identity %s, generated %s, collation %s, storage %s, ' ||
                 'compression %s, %s, default %s', attrelid::regclass,
                 row_number() over (partition by attrelid order by attnum), attname,
                 format_type(atttypid, atttypmod), attoptions, not attnotnull, attidentity, attgenerated,
                 attcollation::regcollation, attstorage, attcompression, attacl, pg_get_expr(adbin, adrelid))
     from pg_attribute join pg_class c on c.oid = attrelid
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${ours} and relkind = 'r' and attnum > 0 and not attisdropped`,
  `select format('constraint %s %s %s, valid %s', conrelid::regclass, conname, pg_get_constraintdef(oid),
                 convalidated)
     from pg_constraint where connamespace = 'public'::regnamespace`,
  `select format('index %s valid %s', pg_get_indexdef(indexrelid), indisvalid)
     from pg_index join pg_class on oid = indexrelid where ${ours}`,
  `select format('sequence %s %s from %s by %s, %s to %s, cache %s, cycle %s, of %s', c.oid::regclass,
                 format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle,
                 (select string_agg(refobjid::regclass || ' ' || refobjsubid, ',') from pg_depend d
                   where d.objid = c.oid and d.deptype in ('a', 'i')))
     from pg_sequence join pg_class c on c.oid = seqrelid where ${ours}`,
  `select format('function %s owner %s, %s', pg_get_functiondef(oid), proowner::regrole, proacl)
     from pg_proc where pronamespace = 'public'::regnamespace and prokind <> 'a' and ${isOwn('pg_proc.oid')}`,
  `select format('trigger %s enabled %s', pg_get_triggerdef(t.oid), tgenabled)
     from pg_trigger t join pg_class c on c.oid = tgrelid where ${ours} and not tgisinternal`,
  `select format('rule %s', pg_get_ruledef(r.oid))
     from pg_rewrite r join pg_class c on c.oid = ev_class where ${ours}`,
  `select format('policy %s %s', polrelid::regclass, polname) from pg_policy`,
  `select format('type %s %s', typname, typtype) from pg_type
    where typnamespace = 'public'::regnamespace and typtype <> 'c' and typelem = 0
      and ${isOwn('pg_type.oid')}`,
  `select format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description)
     from pg_description join pg_class c on c.oid = objoid where ${ours}
    union all
   select format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description)
     from pg_description join pg_proc p on p.oid = objoid
    where pronamespace = 'public'::regnamespace and ${isOwn('p.oid')}`,
  `select format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext`,
]

/** The lines that only one of two databases has. */
export function catalogDifferences(was: readonly string[], is: readonly string[]): string[] {
  const [before, after] = [new Set(was), new Set(is)]
  return [
    ...was.filter((line) => !after.has(line)).map((line) => `only in 0.1.0: ${line}`),
    ...is.filter((line) => !before.has(line)).map((line) => `only in the baseline: ${line}`),
  ]
}
