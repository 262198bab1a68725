import { ChevronUp, Pencil, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import type { Inherited } from '#shared/sectors/managed-sectors.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { SwitchSetting } from '#web/settings/fields/controls.tsx'
import { TextSetting } from '#web/settings/fields/text-setting.tsx'
import { type TextKey, textSettings } from '#web/settings/fields/texts.ts'
import { useOwnGroup } from './own-group.ts'
import { Section } from './section.tsx'
import { type SectorValues, type TextGroup, textGroups } from './sector-values.ts'

const sources = { number: 'Do número', numbers: 'Herdado', installation: 'Da instalação' } as const

export function TextsSection({ inherited }: { inherited: Inherited }) {
  return (
    <Section
      title="Textos"
      description="Grupo a grupo: do setor, senão do número, senão da instalação."
      isLast
    >
      <ul aria-label="Textos" className="w-full">
        {textGroups.map((group) => (
          <TextRow key={group.name} group={group} inherited={inherited} />
        ))}
      </ul>
    </Section>
  )
}

const switchLabels: Partial<Record<string, string>> = {
  isAutoReplyEnabled: 'Responder fora do horário',
  ratingsEnabled: 'Pedir avaliação',
}

const isText = (key: string): key is TextKey => key in textSettings

function TextRow({ group, inherited }: { group: TextGroup; inherited: Inherited }) {
  const { watch, formState } = useFormContext<SectorValues>()
  const { isOwn, setOwn, from, values } = useOwnGroup(group.name, inherited)
  const [isEditing, setEditing] = useState(false)
  const hasError = group.keys.some((key) => formState.errors[key])
  const isShown = isOwn && (isEditing || hasError)
  const typed = watch(group.text)
  const shown = isOwn ? typed : values[group.text]
  const text = typeof shown === 'string' ? shown : ''
  const write = () => {
    setOwn(true)
    setEditing(true)
  }
  return (
    <li className="border-b border-line py-1.5 last:border-b-0">
      <div
        className={[
          'grid min-h-8 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-2.5 text-sm',
          'md:grid-cols-[minmax(0,132px)_96px_minmax(0,1fr)_auto]',
        ].join(' ')}
      >
        <span className="min-w-0 font-medium">{group.title}</span>
        <span className="justify-self-start">
          {isOwn ? (
            <Badge tone="accent">Do setor</Badge>
          ) : (
            <Badge {...(from === 'numbers' && { title: 'Cada número tem o seu, ou o da instalação' })}>
              {sources[from]}
            </Badge>
          )}
        </span>
        <span
          className="min-w-0 truncate text-ink-2 max-md:order-last max-md:col-span-3"
          title={text}
          dir="auto"
        >
          {text.trim() === '' ? 'Vazio: nada é enviado.' : text}
        </span>
        <span className="flex flex-none">
          {isOwn && (
            <IconButton
              icon={RotateCcw}
              size="sm"
              label={`Voltar a herdar: ${group.title}`}
              onClick={() => {
                setOwn(false)
                setEditing(false)
              }}
              className="max-md:size-11"
            />
          )}
          <IconButton
            icon={isShown ? ChevronUp : Pencil}
            size="sm"
            label={`${isShown ? 'Recolher' : isOwn ? 'Editar' : 'Escrever próprio'}: ${group.title}`}
            aria-expanded={isShown}
            onClick={() => (isShown ? setEditing(false) : write())}
            className="max-md:size-11"
          />
        </span>
      </div>
      {isShown && (
        <div className="grid w-full gap-3.5 py-2">
          {group.keys.map((key) =>
            isText(key) ? (
              <TextSetting key={key} name={key} hasPreview={false} />
            ) : (
              <SwitchSetting key={key} name={key as 'ratingsEnabled'} label={switchLabels[key] ?? key} />
            ),
          )}
        </div>
      )}
    </li>
  )
}
