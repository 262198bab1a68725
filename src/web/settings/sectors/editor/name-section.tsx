import { useFormContext } from 'react-hook-form'
import { sectorLimits } from '#shared/sectors/managed-sectors.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { ColorChoice } from '#web/settings/sectors/choices/color-choice.tsx'
import { typedMenuLine } from '#web/settings/sectors/words.ts'
import { Section } from './section.tsx'
import type { SectorValues } from './sector-values.ts'

/** @param props.place of the sector in the client's menu; 1 is the first */
export function NameSection({ place, isWhole }: { place: number; isWhole: boolean }) {
  const { register, watch, setValue, formState } = useFormContext<SectorValues>()
  const { errors } = formState
  const [name, color, description] = watch(['name', 'color', 'description'])
  return (
    <Section
      title="Nome e cor"
      description="A descrição aparece no menu que o cliente recebe."
      isLocked={!isWhole}
    >
      <div className="@container w-full">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <Field label="Nome" error={errors.name?.message} className="min-w-44 flex-1">
            {(control) => (
              <Input
                {...control}
                {...register('name')}
                maxLength={sectorLimits.name}
                disabled={!isWhole}
                autoComplete="off"
                dir="auto"
              />
            )}
          </Field>
          <div className="@md:pt-[26px]">
            <ColorChoice
              value={color}
              isDisabled={!isWhole}
              onChoose={(chosen) => setValue('color', chosen, { shouldDirty: true })}
            />
          </div>
        </div>
      </div>
      <Field
        label="Descrição"
        error={errors.description?.message}
        hint={
          <span className="wrap-anywhere" dir="auto">
            No menu: “{typedMenuLine(place, name, description)}”
          </span>
        }
        className="w-full"
      >
        {(control) => (
          <Input
            {...control}
            {...register('description')}
            maxLength={sectorLimits.description}
            disabled={!isWhole}
            autoComplete="off"
            dir="auto"
          />
        )}
      </Field>
    </Section>
  )
}
