import { useState } from 'react'
import type { Inherited, ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { SectorSelect } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useDeleteSector } from './mutations.ts'
import { counted, listedWords } from './words.ts'

/** Asks before a sector is deleted, and where what it has goes. */
export function DeleteSectorDialog({
  sector,
  others,
  numbers,
  onClose,
  onDeleted,
}: {
  sector: ManagedSector
  others: readonly ManagedSector[]
  numbers: Inherited['numbers']
  onClose: () => void
  onDeleted: () => void
}) {
  const { id, name, open, contacts, quickReplies, defaultOf } = sector
  const { mutateAsync, isPending } = useDeleteSector()
  const targets = others.filter((one) => one.id !== id && one.isActive)
  const [chosenId, setChosenId] = useState<number | null>(targets[0]?.id ?? null)
  const [refusal, setRefusal] = useState<string>()
  const has = open + contacts + quickReplies + defaultOf.length > 0
  const target = targets.find((one) => one.id === chosenId)
  const remove = () => {
    setRefusal(undefined)
    return mutateAsync({ id, targetId: has ? (target?.id ?? 'none') : undefined }).then(
      () => {
        toast({ tone: 'success', title: 'Setor excluído', description: name })
        onDeleted()
      },
      (error: unknown) => setRefusal(reasonOf(error)),
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={<span className="wrap-anywhere">Excluir ‘{name}’?</span>}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="dangerSolid"
            isBusy={isPending}
            busyLabel="Excluindo..."
            onClick={() => void remove()}
          >
            {has ? 'Excluir e mover' : 'Excluir'}
          </Button>
        </>
      }
    >
      <p className="text-sm text-pretty text-ink-2">
        {has && `${hasWords(sector, numbers)}. `}O histórico guarda o nome.
      </p>
      {has && (
        <Field label="Vão para">
          {(control) => (
            <SectorSelect
              {...control}
              sectors={targets}
              chosen={target}
              noneLabel="Sem setor"
              onChoose={setChosenId}
            />
          )}
        </Field>
      )}
      {quickReplies > 0 && !target && (
        <p role="status" className="text-sm text-pretty text-ink-2">
          Sem setor, as respostas rápidas são excluídas.
        </p>
      )}
      {refusal && (
        <p role="alert" className="rounded-control bg-red-soft px-3 py-2 text-sm text-red-text">
          {refusal}
        </p>
      )}
    </Dialog>
  )
}

/** 'Tem 2 conversas abertas, 31 contatos com setor fixo e é o padrão da Loja Vila Mariana' */
function hasWords(
  { open, contacts, quickReplies, defaultOf }: ManagedSector,
  numbers: Inherited['numbers'],
): string {
  const names = defaultOf.map((id) => numbers.find((number) => number.id === id)?.name ?? String(id))
  const counts = [
    ...(open > 0 ? [counted(open, 'conversa aberta', 'conversas abertas')] : []),
    ...(contacts > 0 ? [counted(contacts, 'contato com setor fixo', 'contatos com setor fixo')] : []),
    ...(quickReplies > 0 ? [counted(quickReplies, 'resposta rápida', 'respostas rápidas')] : []),
  ]
  if (names.length === 0) return `Tem ${listedWords(counts)}`
  const standard = `o padrão de ${listedWords(names)}`
  return counts.length === 0 ? `É ${standard}` : `Tem ${counts.join(', ')} e é ${standard}`
}
