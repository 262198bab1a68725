import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { navigate } from 'wouter/use-browser-location'
import type { Inherited, ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { useSaveSector } from '#web/settings/sectors/mutations.ts'
import { type PeopleQuestion, questionOf } from './people-question.tsx'
import {
  changedKeys,
  changeOf,
  changeWords,
  contestedKeys,
  type Key,
  movedKeys,
  pickKeys,
  sectorValues,
  type SectorValues,
  valuesOf,
  withChanges,
} from './sector-values.ts'

/**
 * The form over a sector. A colleague's change meanwhile is taken over where nothing was typed, and shown
 * where something was.
 */
export function useSectorForm(sector: ManagedSector, inherited: Inherited) {
  const save = useSaveSector(sector.id)
  const stored = valuesOf(sector, inherited)
  // The values when the person began to type.
  const [seen, setSeen] = useState({ values: stored, version: sector.version })
  const [failure, setFailure] = useState<string>()
  const [question, setQuestion] = useState<PeopleQuestion>()
  const me = useMe()
  const mayManage = useCan('manageSectors')
  const form = useForm<SectorValues>({ resolver: zodResolver(sectorValues), defaultValues: seen.values })
  const values = form.watch()
  const changed = changedKeys(values, seen.values)
  const contested = contestedKeys(values, seen.values, stored)
  const isOlder = sector.version < seen.version

  /** Goes on from these values, and keeps these edits. */
  const goOnFrom = (next: SectorValues, version: number, kept: readonly Key[]) => {
    const now = structuredClone(form.getValues())
    form.reset(withChanges(next, { now, from: seen.values, kept }))
    setSeen({ values: next, version })
  }
  // Fields without edits follow what is stored; a dispute waits for a decision, and so does the version.
  const moved = isOlder ? [] : movedKeys(stored, seen.values)
  const isBehind =
    !isOlder && (moved.length > contested.length || (contested.length === 0 && sector.version > seen.version))
  useEffect(() => {
    if (!isBehind || form.formState.isSubmitting) return
    // A key may have been pressed since this was rendered: what counts is what stands in the fields.
    const now = form.getValues()
    const edited = changedKeys(now, seen.values)
    const disputed = contestedKeys(now, seen.values, stored)
    if (disputed.length === 0) return goOnFrom(stored, sector.version, edited)
    goOnFrom({ ...stored, ...pickKeys(seen.values, disputed) }, seen.version, edited)
  })

  const submit = form.handleSubmit((typed) => {
    const asked = questionOf(sector.name, typed.people, seen.values.people, { id: me.id, mayManage })
    if (asked) return setQuestion(asked)
    return store(typed)
  })

  const store = async (typed: SectorValues) => {
    const sent = structuredClone(form.getValues())
    setFailure(undefined)
    try {
      await save.mutateAsync({ ...changeOf(typed, seen.values), version: seen.version })
    } catch (error) {
      return refused(error)
    }
    // What was typed while it was saved stays, as a change to be saved.
    const now = structuredClone(form.getValues())
    const kept = changedKeys(now, sent)
    form.reset(withChanges(typed, { now, from: sent, kept }))
    setSeen({ values: typed, version: seen.version + 1 })
    const isOut = !mayManage && !typed.people.some(({ userId, isLead }) => isLead && userId === me.id)
    toast({
      tone: 'success',
      title: 'Setor salvo',
      ...(isOut && { description: `Você não responde mais por ${sector.name}.` }),
    })
    // Of no sector any longer: this screen is closed to them, and nothing on it can still be saved.
    if (isOut && !me.sectors.some(({ id, isLead }) => isLead && id !== sector.id)) navigate('/')
  }

  const refused = (error: unknown) => {
    const message = error instanceof ApiError ? error.userMessage : undefined
    if (error instanceof ApiError && error.code === 'sectors.duplicate')
      return form.setError('name', { message: error.message }, { shouldFocus: true })
    // What the colleague has made of it is being fetched; the notice above the form asks.
    if (error instanceof ApiError && error.code === 'sectors.changed')
      return setFailure(`${error.message} O que você mudou continua aqui: confira e salve de novo.`)
    const reason = error instanceof ApiError && error.status < 500 && message ? ` ${message}` : ''
    setFailure(`Não foi possível salvar.${reason} O que você mudou continua aqui.`)
  }

  return {
    form,
    submit,
    /** To be answered before it is saved. */
    question,
    answer: (isSure: boolean) => {
      setQuestion(undefined)
      if (isSure) void form.handleSubmit(store)()
    },
    failure,
    contested,
    isDirty: changed.length > 0,
    changes: changeWords(values, seen.values),
    isSaving: form.formState.isSubmitting,
    discard: () => {
      setFailure(undefined)
      form.reset(stored)
      setSeen({ values: stored, version: sector.version })
    },
    takeTheirs: () => {
      setFailure(undefined)
      goOnFrom(
        stored,
        sector.version,
        changed.filter((key) => !contested.includes(key)),
      )
    },
    keepMine: () => {
      setFailure(undefined)
      goOnFrom(stored, sector.version, changed)
    },
  }
}
