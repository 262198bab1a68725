import { zodResolver } from '@hookform/resolvers/zod'
import { hashKey } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { systemSettings } from '#shared/settings/settings.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { valuesSent } from '#web/ui/forms/reset-to-saved.ts'
import { SaveBar } from '#web/ui/forms/save-bar.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan } from '#web/users/users.tsx'
import { countChanges } from './count-changes.ts'

const formValues = z.extend(systemSettings, {
  /** Of a number: the groups of settings that are its own, sorted; of the installation there are none. */
  own: z.array(z.string()),
})
export type FormValues = z.infer<typeof formValues>
type Key = keyof FormValues
export type Stored = FormValues & { version: number }

export interface Words {
  /** Shown after saving. */
  saved: string
  /** @param message why saving failed */
  failed: (message: string) => string
  /** Label of the button. */
  save?: string
}

const allKeys = Object.keys(formValues.shape) as Key[]

const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other])
const pick = (values: FormValues, keys: readonly Key[]): Partial<FormValues> =>
  Object.fromEntries(keys.map((key) => [key, values[key]]))

/** What was added and removed from one set of names to another, done to a third one. */
const withChanges = (names: readonly string[], from: readonly string[], to: readonly string[]): string[] =>
  [
    ...names.filter((name) => to.includes(name) || !from.includes(name)),
    ...to.filter((name) => !from.includes(name) && !names.includes(name)),
  ].toSorted()

/**
 * The form over settings that have been fetched. A colleague's change meanwhile is taken over where nothing
 * was typed, and shown where something was.
 */
export function StoredForm({
  stored,
  keys,
  words,
  save,
  children,
}: {
  stored: Stored
  keys: readonly Key[]
  words: Words
  /**
   * @param typed all values, those that are not of this form as they were seen
   * @param changed those that were changed, with the version that was seen
   * @param seen what was stored then
   */
  save: (
    typed: FormValues,
    changed: Partial<FormValues> & { version: number },
    seen: FormValues,
  ) => Promise<Stored>
  children: ReactNode
}) {
  const canEdit = useCan('editSettings')
  // The values when the user began to type.
  const [seen, setSeen] = useState(stored)
  const form = useForm<FormValues>({ resolver: zodResolver(formValues), defaultValues: seen })
  const values = form.watch()
  const edits = (now: FormValues, from: FormValues) => keys.filter((key) => !isSame(now[key], from[key]))
  const changed = edits(values, seen)
  const moved = allKeys.filter((key) => !isSame(stored[key], seen[key]))
  const contestedAmong = (edited: readonly Key[], now: FormValues) =>
    // Of a set of names, two who add or remove the same one agree.
    edited.filter((key) => key !== 'own' && moved.includes(key) && !isSame(stored[key], now[key]))
  const contested = contestedAmong(changed, values)
  const leaving = useLeaveGuard(changed.length > 0)

  /** Resets to the stored values, and keeps these edits. */
  const goOnFrom = (next: Stored, kept: readonly Key[]) => {
    const now = form.getValues()
    const own = kept.includes('own') ? withChanges(next.own, seen.own, now.own) : next.own
    form.reset({ ...next, ...pick(now, kept), own })
    setSeen(next)
  }
  // Fields without edits follow the stored values; a conflict waits for a decision, and so does the version.
  const isBehind =
    moved.length > contested.length || (contested.length === 0 && stored.version > seen.version)
  useEffect(() => {
    if (!isBehind || form.formState.isSubmitting) return
    // A key may have been pressed since this was rendered: what counts is what stands in the fields.
    const now = form.getValues()
    const edited = edits(now, seen)
    const disputed = contestedAmong(edited, now)
    if (disputed.length === 0) return goOnFrom(stored, edited)
    goOnFrom({ ...stored, ...pick(seen, disputed), version: seen.version }, edited)
  })

  const submit = form.handleSubmit(async (typed) => {
    const sent = valuesSent(form)
    try {
      const saved = await save(typed, { ...pick(typed, changed), version: seen.version }, seen)
      // Edits made while saving are kept.
      goOnFrom(saved, edits(form.getValues(), sent))
      toast({ title: words.saved })
    } catch (error) {
      toast({ tone: 'error', title: words.failed(messageOf(error)) })
    }
  })

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="flex grow flex-col">
        {contested.length > 0 && (
          <Contested
            onTakeTheirs={() =>
              goOnFrom(
                stored,
                changed.filter((key) => !contested.includes(key)),
              )
            }
            onKeepMine={() => goOnFrom(stored, changed)}
          />
        )}
        <fieldset disabled={!canEdit} className="contents">
          {children}
        </fieldset>
        {canEdit ? (
          <SaveBar
            changeCount={changed.reduce((sum, key) => sum + countChanges(seen[key], values[key]), 0)}
            isBusy={form.formState.isSubmitting}
            onDiscard={() => goOnFrom(stored, [])}
            {...(words.save && { saveLabel: words.save })}
          />
        ) : (
          <p className="py-4 text-sm text-ink-3">Somente quem pode editar configurações muda estes campos.</p>
        )}
      </form>
      <LeaveDialog leaving={leaving} />
    </FormProvider>
  )
}

function Contested({ onTakeTheirs, onKeepMine }: { onTakeTheirs: () => void; onKeepMine: () => void }) {
  return (
    <div
      role="status"
      className={[
        'mt-4 flex flex-wrap items-center gap-2 rounded-control border border-amber-line',
        'bg-amber-soft px-3 py-1.5 text-sm font-medium text-amber-text',
      ].join(' ')}
    >
      <TriangleAlert size={16} aria-hidden />
      Outra pessoa mudou o que você está editando. Nada foi sobrescrito.
      <Button size="sm" onClick={onTakeTheirs}>
        Usar o que foi salvo
      </Button>
      <Button size="sm" onClick={onKeepMine}>
        Manter o meu
      </Button>
    </div>
  )
}

/** The server names the colleague who saved first. @see specification §8 */
const messageOf = (error: unknown) => {
  if (error instanceof ApiError) return error.userMessage ?? `HTTP ${error.status}: ${error.body}`
  return (error as Error).message
}
