import { cn } from './cn.ts'
import { cut } from './cut.ts'

/** Shorter ones fit into every line. */
const alwaysFits = 18

/** The name of a file on one line, cut before its ending, which says what the file is. */
export function FileName({ name, className }: { name: string; className?: string }) {
  const [ending = ''] = name.length > alwaysFits ? (/\.[a-z0-9]{1,8}$/i.exec(name) ?? []) : []
  const stem = cut(name.slice(0, name.length - ending.length))
  return (
    <span className={cn('flex min-w-0', className)} title={stem + ending} dir="auto">
      <span className="truncate">{stem}</span>
      {ending !== '' && <span className="flex-none">{ending}</span>}
    </span>
  )
}
